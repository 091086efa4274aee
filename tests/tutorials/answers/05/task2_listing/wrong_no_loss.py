# hint: The loss is an operator, too: it is the last.
def operators(rounds):
    return rounds * ["elementwise_mul", "tanh"]
