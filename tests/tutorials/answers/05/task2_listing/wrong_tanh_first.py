# hint: The operand of `tanh` is computed before `tanh` is.
def operators(rounds):
    return rounds * ["tanh", "elementwise_mul"] + ["reduce_mean"]
