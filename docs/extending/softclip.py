"""An operator: a kernel on arrays, and a rule for each input. Pictures, `why` and Programs know it from then on."""

import numpy as np

from minipaddle import paddle
from minipaddle.engine.operator.operator import operator
from minipaddle.tools.explain.catalogue import entry_lines


@operator("softclip")
def softclip(x):
    """Squash every element into (-1, 1), slowly."""
    return x / np.sqrt(1 + x * x)


@softclip.gradient("x")
def _(dy, x):  # the gradient that comes in, then what the rule needs: inputs, outputs (out), attributes
    return dy * (1 + x * x) ** -1.5


print("\n".join(entry_lines(softclip)))

x = paddle.to_tensor([0.0, 1.0, -3.0], dtype="float64", stop_gradient=False)
(slope,) = paddle.grad(softclip(x).sum(), x, create_graph=True)
(bend,) = paddle.grad(slope.sum(), x)  # the rule is made of operators, so it has a gradient, too
print("slope", slope.numpy().round(4), "bend", bend.numpy().round(4))

right, left = softclip(x.detach() + 1e-6).numpy(), softclip(x.detach() - 1e-6).numpy()
assert np.allclose(slope.numpy(), (right - left) / 2e-6)

paddle.enable_static()  # the same definition in a Program
program = paddle.static.Program()
with paddle.static.program_guard(program):
    data = paddle.static.data("data", [3], "float64")
    data.stop_gradient = False
    (gradient,) = paddle.static.gradients(softclip(data), data)
(answer,) = paddle.static.Executor().run(program, {"data": x.numpy()}, [gradient])
assert np.array_equal(answer, slope.numpy())
print([op.type for op in program.global_block().ops])
