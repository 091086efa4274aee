"""static_pylayer: an operator whose forward and backward are Blocks that two functions of the user wrote.

Each function is called once, while building; what it appends goes to a Block of its own. Running the ``pylayer``
operator runs the first Block, and its gradient the second, whatever that computes. A ``PyLayer`` applied while building
becomes such an operator too: its ``forward`` and ``backward`` are the two functions, its context what they share.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np

from minipaddle.autograd.py_layer_call import PyLayerCall, find_tensors
from minipaddle.autograd.py_layer_context import PyLayerContext
from minipaddle.core.errors import failure, locate, user_line
from minipaddle.core.meta import Meta
from minipaddle.core.names import unique_name
from minipaddle.ops.casting import copy
from minipaddle.static.block import Block
from minipaddle.static.build import static_only
from minipaddle.static.copies import exchange_inside
from minipaddle.static.inline import inlined
from minipaddle.static.kernels import BlockOperator, Runner, captured, escaping
from minipaddle.static.nest import flat, rebuilt
from minipaddle.static.operator import Role, TableOperator
from minipaddle.static.program import Program, default_main_program
from minipaddle.static.variable import Variable

__all__ = [
    "PyLayerGradOperator",
    "PyLayerOperator",
    "append_py_layer",
    "assigned",
    "handed_out",
    "static_pylayer",
    "step_scopes",
]


class PyLayerOperator(BlockOperator):
    """A call of static_pylayer, or of a PyLayer.

    Attributes:
        forward: the Block that computes the outputs.
        backward: the Block that computes the gradients, or None.
        incoming: the Variables of `backward` that stand for the gradients of the outputs.
        answers: for each input the Variable of `backward` that holds its gradient; None stands for zeros.
    """

    parts = ("forward", "backward", "incoming", "answers")
    backward: Block | None = None
    incoming: Sequence[Variable] = ()
    answers: Sequence[Variable | None] = ()

    def __init__(
        self,
        block: Block,
        inputs: Sequence[Variable],
        outs: Sequence[Variable],
        scope: Variable,
        forward: Block,
    ) -> None:
        super().__init__(block, "pylayer", {"Input": list(inputs)}, {"Out": list(outs), "Scope": [scope]}, {})
        self.forward = forward

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        return {"blocks": self.blocks()}

    def blocks(self) -> list[Block]:
        """Return the Blocks that it runs."""
        return [self.forward] if self.backward is None else [self.forward, self.backward]

    def reads(self) -> list[Any]:
        """Return what it takes, captured Variables included."""
        return list(dict.fromkeys([*self.inputs["Input"], *captured(self.forward)]))

    def writes(self) -> list[Variable]:
        """Return what it writes."""
        return [*self.outputs["Out"], *self.outputs["Scope"], *self._others()]

    def _others(self) -> list[Variable]:
        """Return the outer Variables that the forward Block writes beside the outputs."""
        outs = set(self.outputs["Out"])
        return [variable for variable in escaping(self.forward) if variable not in outs]

    def bind(self, runner: Runner) -> Callable[..., Generator[Any, None, Any]]:
        """Return the generator function that runs it."""
        outs = self.outputs["Out"]
        run, count = runner(self.forward, self.reads(), [*outs, *self._others()]), len(outs)

        def steps(*values: Any) -> Generator[Any, None, Any]:
            found = yield from run(*values)
            return (*found[:count], None, *found[count:])  # nothing needs to be kept for the gradient

        return steps

    def flows(self) -> bool:
        """Say whether gradients pass it."""
        return self.backward is not None

    def gradients(self, maker: Any, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append its gradient."""
        outs = self.outputs["Out"]
        whole = [maker.zeros(out) if grad is None else grad for out, grad in zip(outs, grads)]
        asked = dict(zip(self.reads(), wanted, strict=True))
        results = [maker.new_like(one) if asked[one] else None for one in self.inputs["Input"]]
        maker.append(PyLayerGradOperator(maker.block, self, whole, results))
        found: list[Any] = maker.summed(self.inputs["Input"], results, self.reads())
        return found


class PyLayerGradOperator(BlockOperator):
    """The gradient of a ``pylayer``: it runs the backward Block."""

    parts = ("backward", "incoming", "answers")

    def __init__(
        self, block: Block, origin: PyLayerOperator, grads: Sequence[Variable], results: Sequence[Any]
    ) -> None:
        inputs = {"Input": origin.inputs["Input"], "Out@GRAD": list(grads), "Scope": origin.outputs["Scope"]}
        super().__init__(block, "pylayer_grad", inputs, {"Input@GRAD": list(results)}, {})
        assert origin.backward is not None
        self.origin, self.where = origin, origin.where
        self.backward = origin.backward
        self.incoming, self.answers = origin.incoming, origin.answers

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        return {"backward_block": self.backward}

    def blocks(self) -> list[Block]:
        """Return the Blocks that it runs."""
        return [self.backward]

    def _captured(self) -> list[Variable]:
        """Return what the backward Block reads beside the gradients."""
        known = set(self.incoming)
        return [variable for variable in captured(self.backward) if variable not in known]

    def _answer_for(self) -> list[tuple[Variable, Variable | None]]:
        """Return the wanted gradients: the input, and the Variable of the Block that holds its gradient."""
        triples = zip(self.inputs["Input"], self.answers, self.outputs["Input@GRAD"], strict=True)
        return [(given, answer) for given, answer, result in triples if result is not None]

    def reads(self) -> list[Any]:
        """Return what it takes, captured Variables included."""
        return [*self.inputs["Out@GRAD"], *self.inputs["Input"], *self._captured()]

    def works_with(self) -> list[Any]:
        """Return what it reads for its numbers, and not only for a shape."""
        return self._captured()

    def writes(self) -> list[Variable]:
        """Return what it writes."""
        return [variable for variable in self.outputs["Input@GRAD"] if variable is not None]

    def bind(self, runner: Runner) -> Callable[..., Generator[Any, None, Any]]:
        """Return the generator function that runs it."""
        answers = self._answer_for()
        asked = [answer for _, answer in answers if answer is not None]
        run = runner(self.backward, [*self.incoming, *self._captured()], asked)
        first, count, inputs = len(self.incoming), len(self.inputs["Input"]), self.inputs["Input"]

        def steps(*values: Any) -> Generator[Any, None, Any]:
            grads, given, others = values[:first], values[first : first + count], values[first + count :]
            found = iter((yield from run(*grads, *others)))
            likes = dict(zip(inputs, given, strict=True))
            results = [
                np.zeros_like(likes[one]) if answer is None else _checked(next(found), likes[one], one)
                for one, answer in answers
            ]
            return results[0] if len(results) == 1 else results

        return steps

    def flows(self) -> bool:
        """Say whether gradients pass it."""
        return True

    def gradients(self, maker: Any, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append the backward Block's Operators once more, and walk back through them."""
        start = len(maker.block.ops)
        twins = inlined(
            self.backward, dict(zip(self.incoming, self.inputs["Out@GRAD"], strict=True)), maker.block
        )
        results = [twins(answer) for _, answer in self._answer_for()]
        pairs = [(result, grad) for result, grad in zip(results, grads, strict=True) if result is not None]
        found: Sequence[Any] = maker.back_through(start, pairs, self.reads(), wanted)
        return found


def _checked(grad: Any, given: Any, variable: Variable) -> Any:
    """Return a gradient that fits its input.

    Raises:
        ValueError: if it has another shape.
    """
    if grad.shape != given.shape:
        raise failure(
            ValueError,
            f"The gradient of {variable.name!r} that backward_fn computed has shape {list(grad.shape)}, but "
            f"{variable.name!r} has shape {list(given.shape)}.",
            "sum over the axes that forward_fn broadcast",
        )
    return grad


# -- building ------------------------------------------------------------------------------------------------


def static_pylayer(
    forward_fn: Callable[..., Any],
    inputs: list[Any],
    backward_fn: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """Append an operator with a gradient of your own.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/nn/static_pylayer_en.html)

    Args:
        forward_fn: called with `inputs` while building; returns Variables, or nests of them.
        inputs: a list; what is no Variable is handed through.
        backward_fn: called with one gradient for each output; returns one for each Variable among `inputs`, None for
            zeros. Without it, all inputs must stop gradients.
        name: accepted.

    Returns:
        What `forward_fn` returned, with Variables of the current Block.

    Raises:
        AssertionError: in dynamic mode (**PyLayer**), for arguments of the wrong type, or if backward_fn returns
            another **number** of gradients than there are inputs.
        ValueError: **stop_gradient**, if there is no `backward_fn` for inputs that want a gradient; a gradient of
            another shape than its input.
        TypeError: for an argument or a gradient of the wrong type.
    """
    static_only("PyLayer")
    assert isinstance(inputs, list), "inputs must be a list"
    assert callable(forward_fn), "forward_fn must be callable"
    assert backward_fn is None or callable(backward_fn), "backward_fn must be callable"
    if name is not None and not isinstance(name, str):
        raise TypeError(
            f"The type of 'name' in static_pylayer must be str, but received {type(name).__name__}."
        )
    variables = [one for one in inputs if isinstance(one, Variable)]
    if backward_fn is None:
        for one in variables:
            if not one.stop_gradient:
                raise ValueError(
                    "``stop_gradient`` attr of all inputs to ``forward_fn`` are expected to be True, when "
                    f"``backward_fn == None``, but {one.name}.stop_gradient got {one.stop_gradient}"
                )
    return _append(lambda: forward_fn(*inputs), variables, backward_fn, may_keep=False)


def append_py_layer(call: PyLayerCall) -> Any:
    """Append a call of a PyLayer: what ``apply`` means while building."""
    ctx: Any = PyLayerContext()
    variables, slots = find_tensors((*call.args, *call.kwargs.values()), Variable)

    def backward(*grads: Any) -> list[Any]:
        answer = call.cls.backward(ctx, *grads)
        answers = list(answer) if isinstance(answer, (tuple, list)) else [answer]
        assert len(answers) == len(slots), (
            f"The number of outputs of `{call.name}.backward` should be {len(slots)}, but received {len(answers)}."
        )
        return [
            one
            for slot, item in zip(slots, answers)
            for one in ([item] if slot is None else item or [None] * slot)
        ]

    return _append(
        lambda: call.cls.forward(ctx, *call.args, **call.kwargs), variables, backward, may_keep=True
    )


def _append(
    forward_fn: Callable[[], Any],
    inputs: list[Variable],
    backward_fn: Callable[..., Any] | None,
    may_keep: bool,
) -> Any:
    program = default_main_program()
    with program.undone_on_error():
        parent = program.current_block()
        forward = program.new_block()
        with program.in_block(forward):
            result = forward_fn()
            leaves = [leaf for leaf in flat(result) if isinstance(leaf, Variable)]
            outs = [handed_out(leaf, parent, forward) for leaf in leaves]
        scope = parent.add(step_scopes(parent))
        op = PyLayerOperator(parent, inputs, outs, scope, forward)
        op.where = user_line()
        parent.add_op(op)
        handed = dict(zip(leaves, outs, strict=True))
        if backward_fn is not None:
            _trace_backward(
                op, backward_fn, program, forward, _outside(op, handed) if may_keep else _refusing(forward)
            )
    following = iter(outs)  # a Variable returned twice is handed out twice
    return rebuilt(result, lambda leaf: next(following) if isinstance(leaf, Variable) else leaf)


def _outside(op: PyLayerOperator, handed: dict[Variable, Variable]) -> Callable[[Variable], Variable]:
    """Return what stands outside for a Variable of the forward Block that backward uses: an output, or a copy.

    As in eager mode, where forward runs unrecorded, no gradient flows through what is neither input nor output.
    """

    def outside(variable: Variable) -> Variable:
        if variable.block is op.forward and variable not in handed:
            copied = handed[variable] = handed_out(variable, op.block, op.forward)
            copied.stop_gradient = True
        return handed.get(variable, variable)

    return outside


def _refusing(forward: Block) -> Callable[[Variable], Variable]:
    """Return what refuses Variables of the forward Block."""

    def refusing(variable: Variable) -> Variable:
        if variable.block is forward:
            raise failure(
                ValueError,
                f"backward_fn uses {variable.name!r}, which forward_fn computed: that is gone when it runs.",
                "return it from forward_fn, or compute it again",
            )
        return variable

    return refusing


def step_scopes(block: Block) -> Variable:
    """Return the Variable for what a Block leaves for its gradient."""
    return Variable(block, block.program.generated_name(), _NOTHING, type="STEP_SCOPES")


_NOTHING = Meta((), np.dtype("float32"))


def handed_out(leaf: Variable, parent: Block, forward: Block) -> Variable:
    """Append the copy of a result of the Block to a Variable around it."""
    out = parent.create_var(shape=leaf.shape, dtype=leaf.meta.dtype, stop_gradient=leaf.stop_gradient)
    assigned(forward, leaf, out)
    return out


def assigned(block: Block, source: Variable, target: Variable) -> None:
    """Append ``target = assign(source)``; it counts among the assigns, though its output is not named after them."""
    unique_name(copy.kind)
    op = TableOperator(block, copy, [source], [target], {})
    op.where = user_line()
    block.add_op(op)


def _trace_backward(
    op: PyLayerOperator,
    backward_fn: Callable[..., Any],
    program: Program,
    forward: Block,
    outside: Callable[[Variable], Variable],
) -> None:
    """Call the user's function in a Block of its own, and exchange what it took from the forward Block."""
    backward = program.new_block(op.block, forward)
    outs = op.outputs["Out"]
    incoming = [Variable(op.block, out.grad_name, out.meta) for out in outs]
    with program.in_block(backward):
        arguments = [backward.create_var(shape=one.shape, dtype=one.meta.dtype) for one in outs]
        for source, target in zip(incoming, arguments, strict=True):
            assigned(backward, source, target)
        answers = flat(backward_fn(*arguments))
        if answers == [] or (len(answers) == 1 and answers[0] is None):
            answers = [None] * len(op.inputs["Input"])
        inputs = op.inputs["Input"]
        assert len(answers) == len(inputs), (
            "the number of inputs to ``forward_fn`` should equal the number of results of ``backward_fn``, "
            f"but got {len(inputs)} and {len(answers)}"
        )
        taken: set[Variable] = set()
        answers = [outside(one) if isinstance(one, Variable) else one for one in answers]
        named = [
            _answer(backward, given, answer, taken) for given, answer in zip(inputs, answers, strict=True)
        ]
    for one in backward.ops:
        one.role = Role.BACKWARD
        try:
            exchange_inside(one, outside)
        except ValueError as error:
            raise locate(error, one.type, one.where) from None
    op.backward, op.incoming, op.answers = backward, incoming, named


def _answer(backward: Block, given: Variable, answer: Any, taken: set[Variable]) -> Any:
    """Return a gradient under its name; a copy if it is not this Block's own, or the gradient of another input too."""
    if answer is None:
        return None
    if not isinstance(answer, Variable):
        raise TypeError(
            f"backward_fn must return Variables or None, but the gradient of {given.name!r} is {type(answer).__name__}."
        )
    if answer.meta.dtype != given.meta.dtype or not _alike(answer.shape, given.shape):
        raise failure(
            ValueError,
            f"The gradient of {given.name!r} must have its shape {given.shape} and dtype {given.meta.dtype}, but "
            f"backward_fn returned shape {answer.shape} and dtype {answer.meta.dtype}.",
            "sum over the axes that forward_fn broadcast; cast with astype",
        )
    if answer.block is not backward or answer in taken:
        fresh = backward.create_var(shape=answer.shape, dtype=answer.meta.dtype)
        assigned(backward, answer, fresh)
        answer = fresh
    taken.add(answer)
    if given.grad_name not in backward.vars:
        backward.rename(answer, given.grad_name)
    return answer


def _alike(one: Sequence[int], other: Sequence[int]) -> bool:
    return len(one) == len(other) and all(a == b or -1 in (a, b) for a, b in zip(one, other, strict=True))
