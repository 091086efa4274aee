"""append_backward and gradients: the two functions that append gradients to a Program."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.engine.extension_point import gradients_of_variables
from minipaddle.ops.creation.fill_constant import fill_constant
from minipaddle.ops.creation.full import fill_any_like
from minipaddle.paddle.static.build import check_variable, check_variables, static_only
from minipaddle.paddle.static.gradient.grad_maker import GradMaker
from minipaddle.paddle.static.gradient.tape import Tape
from minipaddle.paddle.static.program import Block, Operator, Program, Role, TableOperator, Variable


def append_backward(
    loss: Variable,
    parameter_list: Any = None,
    no_grad_set: Any = None,
    callbacks: Any = None,
    checkpoints: Any = None,
    distop_context: Any = None,
) -> list[tuple[Variable, Variable]]:
    """Append the Operators that compute the gradient of `loss` with respect to each Variable that lets one pass.

    Args:
        loss: one number, of shape [] or [1].
        parameter_list: Variables or names whose gradients to return; None: all trainable parameters. The appended code
            does not depend on it.
        no_grad_set: Variables or names that let no gradient pass.
        callbacks: functions called as ``callback(block, {type: op})`` after each appended Operator.
        checkpoints: no effect; nothing is recomputed to save memory.

    Returns:
        Pairs of parameter and gradient, for those reached by the walk.

    Raises:
        TypeError: **loss**, **parameter_list**, **no_grad_set** or **callbacks** is of another type.
        ValueError: if no Operator makes the loss, or it has more than one number.
        AssertionError: in dynamic mode, mentioning **enable_static**.
    """
    static_only("append_backward")
    return gradients_of_loss(loss, parameter_list, no_grad_set, callbacks)


def gradients_of_loss(
    loss: Variable, parameter_list: Any, no_grad_set: Any, callbacks: Any
) -> list[tuple[Variable, Variable]]:
    """Do as :func:`append_backward`, in any mode."""
    _check_loss(loss)
    if callbacks is not None and not isinstance(callbacks, (list, tuple)):
        raise TypeError(
            f"callbacks must be a list or tuple of functions, but received {type(callbacks).__name__}."
        )
    wanted = _wanted_names(loss, parameter_list)
    blocked = _names(no_grad_set, "no_grad_set")
    assert loss.op is not None
    with loss.block.program.undone_on_error():
        maker, tape = _begun(loss.block.program, blocked, callbacks or ())
        seed = _seed(maker, loss)
        found = {loss.name: seed}
        found.update((one.name, grad) for one, grad in maker.gradients(tape, [(loss, seed)]).items())
    loss.op.role |= Role.LOSS
    known = ((maker.block.find_var(name), found.get(name)) for name in wanted)
    pairs = [(variable, grad) for variable, grad in known if variable is not None and grad is not None]
    for variable, grad in pairs:
        if grad.op is not None:
            grad.op.role_var += [variable.name, grad.name]
    return pairs


@gradients_of_variables.filled
def gradients(
    targets: Any, inputs: Any, target_gradients: Any = None, no_grad_set: Any = None
) -> list[Variable | None]:
    """Append the Operators that compute the gradients of `targets` with respect to `inputs`.

    Args:
        target_gradients: the gradients to start with, one for each target; None: ones.
        no_grad_set: Variables or names that let no gradient pass.

    Returns:
        A gradient for each input; None where no target depends on it, or gradients stop at it.

    Raises:
        TypeError: naming the argument that is no Variable or list of them.
        ValueError: **number** or **shape** of the target gradients does not match; inputs of another Program:
            **same program**.
        AssertionError: in dynamic mode, mentioning **enable_static**.
    """
    static_only("gradients")
    ends = check_variables(targets, "targets", "paddle.static.gradients")
    sources = check_variables(inputs, "inputs", "paddle.static.gradients")
    starts = _target_gradients(ends, target_gradients)
    blocked = _names(no_grad_set, "no_grad_set")
    program = ends[0].block.program
    for source in sources:
        if source.block.program is not program:
            raise ValueError("input must be in the same program as targets")
    with program.undone_on_error():
        maker, tape = _begun(program, blocked)
        seeds = [
            (target, _ones_like(maker, target) if start is None else start)
            for target, start in zip(ends, starts, strict=True)
        ]
        found = maker.gradients(tape, seeds, sources)
    return [None if tape.first_edge(source) is None else found.get(source) for source in sources]


def _begun(
    program: Program, blocked: Collection[str], callbacks: Sequence[Callable[..., Any]] = ()
) -> tuple[GradMaker, Tape]:
    """Return the GradMaker and the Tape of a new pass; the names in `blocked` stop it."""
    program.backward_calls += 1
    block = program.current_block()
    maker = GradMaker(
        block, block, lambda variable: variable.stop_gradient or variable.name in blocked, callbacks
    )
    return maker, Tape(_operators_before(block), maker.stops)


def _operators_before(block: Block) -> list[Operator]:
    """Return the Operators that have run by the end of `block`: in a branch, the outer Blocks' come first."""
    return [*([] if block.parent is None else _operators_before(block.parent)), *block.ops]


# -- seeds ---------------------------------------------------------------------------------------------------


def _seed(maker: GradMaker, loss: Variable) -> Variable:
    """Append the gradient of the loss itself: 1."""
    attrs = {"shape": loss.meta.shape, "value": 1.0, "dtype": loss.meta.dtype}
    return _start(maker, loss, fill_constant, [], attrs, Role.BACKWARD | Role.LOSS)


def _ones_like(maker: GradMaker, target: Variable) -> Variable:
    return _start(
        maker, target, fill_any_like, [target], {"value": 1.0, "dtype": target.meta.dtype}, Role.BACKWARD
    )


def _start(
    maker: GradMaker, target: Variable, op: Any, inputs: list[Variable], attrs: dict[str, Any], role: int
) -> Variable:
    out = maker.block.vars.get(f"{target.name}@GRAD")
    if out is None or out.op is None or out.op.type not in ("fill_constant", "fill_any_like"):
        out = maker.named_like(target)  # else the same Operators are appended once more
    call = TableOperator(maker.block, op, inputs, [out], attrs)
    call.role, call.where = role, None if target.op is None else target.op.where
    call.seeds = target.op, target
    maker.append(call)
    return out


# -- arguments -----------------------------------------------------------------------------------------------


def _check_loss(loss: Any) -> None:
    check_variable(loss, "loss", "paddle.static.append_backward")
    if loss.op is None:
        raise invalid(
            f"loss.op is None: no op of the Program makes {loss.name!r}, so there is nothing to differentiate.",
            "the loss is what an operator returned, such as paddle.mean(...)",
        )
    if loss.meta.shape not in ((), (1,)):
        raise invalid(
            f"The loss must be one number, but the shape of {loss.name!r} is {loss.shape}.",
            "take paddle.mean or paddle.sum of it, or use paddle.static.gradients",
        )


def _wanted_names(loss: Variable, parameter_list: Any) -> list[str]:
    if parameter_list is None:
        return [one.name for one in loss.block.program.all_parameters() if not one.stop_gradient]
    return list(_names(parameter_list, "parameter_list"))


def _names(values: Any, argument: str) -> list[str]:
    """Return the names of Variables or names."""
    if values is None:
        return []
    if not isinstance(values, (list, tuple, set)):
        raise TypeError(
            f"The type of '{argument}' must be list, tuple or set, but received {type(values).__name__}."
        )
    for value in values:
        if not isinstance(value, (Variable, str)):
            raise TypeError(
                f"The members of '{argument}' must be Variable or str, but received {type(value).__name__}."
            )
    return [value if isinstance(value, str) else value.name for value in values]


def _target_gradients(targets: list[Variable], given: Any) -> list[Variable | None]:
    if given is None:
        return [None] * len(targets)
    found = list(given) if isinstance(given, (list, tuple)) else [given]
    given = [one for one in found if one is not None]
    check_variables(given, "target_gradients", "paddle.static.gradients")
    if len(found) != len(targets):
        raise ValueError(
            f"The number of target_gradients must equal the number of targets, but there are {len(found)} and "
            f"{len(targets)}."
        )
    for target, grad in zip(targets, found, strict=True):
        if grad is not None and not grad.meta.fits(target.meta):
            raise ValueError(
                f"The shapes of target and grad are different: {target.name!r} has {target.shape}, its gradient "
                f"{grad.name!r} has {grad.shape}."
            )
    return found
