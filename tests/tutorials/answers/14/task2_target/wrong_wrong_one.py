# hint: It is the wish that has to stand still, and not the value.
def loss_of(value, reward, value_next):
    wish = reward + 0.9 * value_next
    return ((value.detach() - wish) ** 2).mean()
