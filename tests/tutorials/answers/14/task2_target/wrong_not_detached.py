# hint: A gradient goes through the wish: detach it.
def loss_of(value, reward, value_next):
    wish = reward + 0.9 * value_next
    return ((value - wish) ** 2).mean()
