"""A command of the debugger: a method `do_NAME`. Its docstring is its help; in JSON it answers as all others do."""

from typing import Annotated

import numpy as np

from minipaddle import paddle
from minipaddle.tools.debug.api import record
from minipaddle.tools.debug.commands.base import needed
from minipaddle.tools.debug.expressions import evaluate
from minipaddle.tools.debug.prompt import Prompt
from minipaddle.tools.debug.session import Session
from minipaddle.tools.words.terminal import UNICODE


class WithNorm(Prompt):
    def do_norm(self, arg: Annotated[str, "NAME"]):  # else it takes nothing
        """The length of a value or of an expression: norm W@GRAD."""
        found = evaluate(self.session, needed(arg, "the norm of what? the name of a value"))
        self.answer("norm", [f"{np.linalg.norm(getattr(found, 'array', found)):.4g}"])


with record() as run:
    w = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
    (w * w).sum().backward()

prompt = WithNorm(Session(run.trace), UNICODE, print)
for line in ("goto w@GRAD", "norm w", "norm w@GRAD", "norm", "help norm"):
    print("(step)", line)
    prompt.run(line)
