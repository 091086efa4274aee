# hint: The prediction of what comes next counts 0.9 times.
def loss_of(value, reward, value_next):
    wish = reward + value_next.detach()
    return ((value - wish) ** 2).mean()
