# hint: The mean is asked for, and not the sum.
def loss_of(value, reward, value_next):
    wish = reward + 0.9 * value_next.detach()
    return ((value - wish) ** 2).sum()
