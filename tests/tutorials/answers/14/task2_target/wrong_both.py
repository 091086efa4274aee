# hint: No gradient arrives at all: `value` itself has to stay on the tape.
def loss_of(value, reward, value_next):
    wish = reward + 0.9 * value_next.detach()
    return ((value.detach() - wish) ** 2).mean()
