"""static_pylayer: an operator whose forward and backward are Blocks, built by two user functions.

Each function is called once, while building, with a new Block for its Operators. Running the ``pylayer``
operator runs the first Block, and its gradient the second, whatever that computes. A ``PyLayer`` applied while building
becomes such an operator too: its ``forward`` and ``backward`` are the two functions, and share its context.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.custom.py_layer import PyLayerCall, PyLayerContext, find_tensors
from minipaddle.engine.errors import invalid, locate
from minipaddle.ops.creation.assign import share_data
from minipaddle.paddle.static.build import static_only
from minipaddle.paddle.static.build.mode import append_py_layer
from minipaddle.paddle.static.control_flow import conditional_block
from minipaddle.paddle.static.custom.operators import PyLayerOperator
from minipaddle.paddle.static.program import Block, Role, TableOperator, Variable, default_main_program
from minipaddle.paddle.static.program.clone import exchange_inside
from minipaddle.paddle.static.pytree import flat


def static_pylayer(
    forward_fn: Callable[..., Any],
    inputs: list[Any],
    backward_fn: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """Append an operator with a gradient of your own.

    Args:
        forward_fn: called with `inputs` while building; returns Variables, or pytrees of them.
        inputs: a list; other values than Variables are passed on as they are.
        backward_fn: called with one gradient for each output; returns one for each Variable among `inputs`, None for
            zeros. Without it, all inputs must stop gradients.

    Returns:
        What `forward_fn` returned, with Variables of the current Block.

    Raises:
        AssertionError: in dynamic mode (**PyLayer**), for arguments of the wrong type, or if backward_fn returns
            another **number** of gradients than there are inputs.
        ValueError: **stop_gradient**, if there is no `backward_fn` for inputs that require gradient; a gradient of
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
    return _append(lambda: forward_fn(*inputs), variables, backward_fn)


@append_py_layer.filled
def append_py_layer_call(call: PyLayerCall) -> Any:
    """Append a call of a PyLayer: ``apply`` while building."""
    ctx: Any = PyLayerContext()
    variables, slots = find_tensors((*call.args, *call.kwargs.values()), Variable)

    def backward(*grads: Any) -> list[Any]:
        answer = call.code.backward(ctx, *grads)
        answers = list(answer) if isinstance(answer, (tuple, list)) else [answer]
        assert len(answers) == len(slots), (
            f"The number of outputs of `{call.name}.backward` should be {len(slots)}, but received {len(answers)}."
        )
        return [
            one
            for slot, item in zip(slots, answers)
            for one in ([item] if slot is None else item or [None] * slot)
        ]

    return _append(lambda: call.code.forward(ctx, *call.args, **call.kwargs), variables, backward, ctx)


def _append(
    forward_fn: Callable[[], Any],
    inputs: list[Variable],
    backward_fn: Callable[..., Any] | None,
    ctx: Any = None,
) -> Any:
    """Append a ``pylayer``. With a PyLayer's context, backward may use values of forward."""
    program = default_main_program()
    with program.undone_on_error():
        parent = program.current_block()
        forward = program.new_block()
        with program.in_block(forward):
            inner = forward_fn()
            result, outs = conditional_block.results_around(inner, forward, parent)
        op = PyLayerOperator(parent, inputs, outs, conditional_block.step_scopes(parent), forward)
        parent.add_op(op)
        if backward_fn is not None:
            inner_outs = [leaf for leaf in flat(inner) if isinstance(leaf, Variable)]
            stops = all(given.stop_gradient for given in inputs)
            for one, out in zip(inner_outs, outs, strict=True):
                # backward also covers results without a gradient, unless the user marked them
                out.stop_gradient = stops or _stopped_by_hand(one, ctx)
            known = None if ctx is None else dict(zip(inner_outs, outs, strict=True))
            _trace_backward(op, backward_fn, _outside(op, known))
    return result


def _stopped_by_hand(result: Variable, ctx: Any) -> bool:
    """Whether the user detached a result of forward, or marked it as not differentiable."""
    marked = () if ctx is None else ctx._non_differentiable
    detached = isinstance(result.op, TableOperator) and result.op.definition is share_data
    return detached or any(result is one for one in marked)


def _outside(op: PyLayerOperator, known: dict[Variable, Variable] | None) -> Callable[[Variable], Variable]:
    """Return the outer Variable for a forward Block's Variable that backward uses: an output, or a copy.

    As in eager mode, where forward runs unrecorded, no gradient flows through Variables other than inputs and outputs.
    Without `known`, the outputs, such a Variable raises.
    """

    def outside(variable: Variable) -> Variable:
        if variable.block is not op.body:
            return variable if known is None else known.get(variable, variable)
        if known is None:
            raise invalid(
                f"backward_fn uses {variable.name!r}, which forward_fn computed: that is gone when it runs.",
                "return it from forward_fn, or compute it again",
            )
        if variable not in known:
            known[variable] = conditional_block.assigned_out(variable, op.body, op.block)
            known[variable].stop_gradient = True
        return known[variable]

    return outside


def _trace_backward(
    op: PyLayerOperator, backward_fn: Callable[..., Any], outside: Callable[[Variable], Variable]
) -> None:
    """Call the user's function in a new Block, and replace the forward Block's Variables in it."""
    program = op.block.program
    backward = program.new_block(op.block, op.body)
    inputs, outs = op.inputs["Input"], op.outputs["Out"]
    incoming = [out.gradient_in(op.block, out.grad_name) for out in outs]
    with program.in_block(backward):
        arguments = [backward.create_like(one) for one in outs]
        for source, target in zip(incoming, arguments, strict=True):
            conditional_block.assigned(backward, source, target)
        answers = flat(backward_fn(*arguments))
        if answers == [] or (len(answers) == 1 and answers[0] is None):
            answers = [None] * len(inputs)
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
    """Return a gradient under its name; a copy if made in another Block, or used for another input too.

    Raises:
        TypeError: if it is no Variable.
        ValueError: if its shape or dtype differs from the input's.
    """
    if answer is None:
        return None
    if not hasattr(answer, "meta"):
        raise TypeError(
            f"backward_fn must return Variables or None, but the gradient of {given.name!r} is {type(answer).__name__}."
        )
    if answer.meta.dtype != given.meta.dtype or not answer.meta.fits(given.meta):
        raise invalid(
            f"The gradient of {given.name!r} must have its shape {given.shape} and dtype {given.meta.dtype}, but "
            f"backward_fn returned shape {answer.shape} and dtype {answer.meta.dtype}.",
            "sum over the axes that forward_fn broadcast; cast with astype",
        )
    if answer.block is not backward or answer in taken:
        fresh = backward.create_like(answer)
        conditional_block.assigned(backward, answer, fresh)
        answer = fresh
    taken.add(answer)
    if given.grad_name not in backward.vars:
        backward.rename(answer, given.grad_name)
    return answer
