# hint: That is not the list of the operators.
def operators(rounds):
    return 2 * ["elementwise_mul", "tanh"] + ["reduce_mean"]
