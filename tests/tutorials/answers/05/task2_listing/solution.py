def operators(rounds):
    return rounds * ["elementwise_mul", "tanh"] + ["reduce_mean"]
