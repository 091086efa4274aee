# hint: In a Program `*` is called `elementwise_mul`, and `mean` is called `reduce_mean`.
def operators(rounds):
    return rounds * ["multiply", "tanh"] + ["mean"]
