# hint: The listing is in the order in which the operators run: the loss comes last.
def operators(rounds):
    return ["reduce_mean"] + rounds * ["tanh", "elementwise_mul"]
