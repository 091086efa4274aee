"""incubate.autograd in Programs: gradients forwards and backwards, also by what is fed and stops them elsewhere."""

import numpy as np
import paddle

from tests.support.parity.graphs import S
from tests.support.parity.kit import Family

cases = Family("static_prim")
A = paddle.incubate.autograd
FED = {"x": np.array([2.0, 3.0], "float32"), "z": np.array([5.0, 7.0], "float32")}

for name, build in {
    "forwards": lambda x, z: [A.forward_grad(x * x, x)],
    "backwards": lambda x, z: [A.grad(x * x, x)],
    "by two": lambda x, z: A.grad([x * x * z], [x, z]),
    "by one of two": lambda x, z: [A.forward_grad(x * z, z)],
    "twice": lambda x, z: [A.grad(A.grad(x * x * x, x), x)],
    "along another": lambda x, z: [A.forward_grad(x * z, x, z)],
    "from another": lambda x, z: A.grad([x * x * z], [x], [z]),
}.items():

    def case(build=build):
        A.enable_prim()
        try:
            found = build(S.data("x", [2]), S.data("z", [2]))
            A.prim2orig()
            return S.Executor().run(S.default_main_program(), feed=FED, fetch_list=found)
        finally:
            A.disable_prim()

    cases.add(name, case)
