# hint: A Program knows nothing of Python's loop: each round writes its own operators.
def operators(rounds):
    return ["elementwise_mul", "tanh", "reduce_mean"]
