"""The Variables of gradients: without a name until it is known whether one is the whole gradient or a part of it."""

from __future__ import annotations

from itertools import count

from minipaddle.paddle.static.program import Block, Variable


class GradVariables:
    """Makes and names the Variables of the gradients that are appended to a Block.

    Args:
        block: where the gradients go.
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        self._made: dict[Variable, None] = {}
        """Every gradient so far; a dict keeps them in order."""
        self._nameless: set[Variable] = set()
        self._numbers = count()

    def new_like(self, variable: Variable) -> Variable:
        """Return a Variable for a gradient of `variable`; it is named when it is settled."""
        made = variable.gradient_in(self.block, self._placeholder())
        self._note(made)
        return made

    def _note(self, gradient: Variable) -> None:
        self._made[gradient] = None
        self._nameless.add(gradient)

    def _placeholder(self) -> str:
        return f"@GRAD@{next(self._numbers)}"

    def named_like(self, variable: Variable) -> Variable:
        """Return a Variable for the gradient of `variable` that has its name already."""
        made = self.new_like(variable)
        self._name(made, self.grad_name(variable))
        return made

    def grad_name(self, variable: Variable) -> str:
        """Return ``x@GRAD``, after ``grad/`` as often as backward was called if there is one already."""
        name = variable.grad_name
        return name if name not in self.block.vars else "grad/" * self.block.program.backward_calls + name

    def _name(self, variable: Variable, name: str) -> None:
        if variable in self._nameless:
            self._nameless.remove(variable)
            variable.name = name

    def enter(self) -> None:
        """Enter those that an Operator writes into the Block, in alphabetical order as Paddle does."""
        kept = {out for op in self.block.ops for out in op.writes()}
        for variable in sorted(self._made, key=lambda one: one.name):
            if variable in kept:
                self.block.add(variable)
        self.block.program.changed()
