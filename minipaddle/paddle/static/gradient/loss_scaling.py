"""The two Operators of loss scaling: gradients are divided by the scale and looked at, then the scale adapts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from minipaddle.engine.core.dtype.bfloat16 import in_dtype, wide
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Attrs, Meta
from minipaddle.engine.names.unique import numbered, unique_name
from minipaddle.paddle.static.program import Block, Operator, Variable, default_main_program
from minipaddle.paddle.static.program.operator import Slots


class OfGradients(Operator, in_files=False):
    """An Operator that writes over the gradients in its slot X; Out are the same."""

    kind: ClassVar[str]
    over: ClassVar[dict[str, str]]
    """The other output slots, each with the input slot that it writes over; "" for a Variable of its own."""
    known: ClassVar[Attrs] = {}
    """Its attributes, and what they are if nobody says it."""

    @classmethod
    def by_hand(cls, block: Block, type: str, ins: Slots, outs: Slots, listed: Attrs) -> Operator | None:
        """Return the call that ``append_op`` is asked for.

        Raises:
            AssertionError: **Input X not found**, for each input.
            ValueError: an output is not the input that it must be.
        """
        if type != cls.kind:
            return None
        for slot in cls.full_slots:
            assert ins.get(slot), f"Input {slot} not found"
        for out, slot in {"Out": "X", **cls.over}.items():
            if len(outs.get(out, ())) != len(ins[slot] if slot else [0]):
                raise failure(
                    ValueError, f"Incorrect setting for output(s) of operator {type!r}, should set: [{out}]."
                )
            if slot and any(one is not other for one, other in zip(outs[out], ins[slot], strict=True)):
                raise failure(ValueError, f"Output {out} of {type} must be its input {slot}.")
        return cls(block, type, ins, outs, {**cls.known, **{n: listed[n] for n in cls.known if n in listed}})

    @property
    def flows(self) -> bool:
        """Return that no gradient passes."""
        return False


class CheckFiniteAndUnscale(OfGradients):
    """Divide the gradients by the scale, but make zeros of those from the first on that is not finite."""

    kind = "check_finite_and_unscale"
    full_slots = ("X", "Scale")
    over: ClassVar = {"FoundInfinite": ""}

    def compute(self, *values: Any) -> list[Any]:
        """Return the gradients, and whether one was not finite."""
        *grads, scale = values
        found, results = False, []
        for grad in grads:
            found = found or not bool(np.isfinite(wide(grad)).all())
            factor = np.float32(0) if found else np.float32(1) / np.float32(scale.reshape(()))
            with np.errstate(invalid="ignore"):  # 0 * inf
                results.append(in_dtype(wide(grad) * factor.astype(wide(grad).dtype), grad.dtype))
        return [*results, np.array([found])]


class UpdateLossScaling(OfGradients):
    """Count good and bad steps: after so many of them the scale grows or shrinks. A bad one makes gradients zeros."""

    kind = "update_loss_scaling"
    full_slots = ("X", "FoundInfinite", "PrevLossScaling", "InGoodSteps", "InBadSteps")
    over: ClassVar = {
        "LossScaling": "PrevLossScaling",
        "OutGoodSteps": "InGoodSteps",
        "OutBadSteps": "InBadSteps",
    }
    known: ClassVar = {
        "decr_every_n_nan_or_inf": 2,
        "decr_ratio": 0.5,
        "incr_every_n_steps": 1000,
        "incr_ratio": 2.0,
        "stop_update": False,
    }

    def compute(self, *values: Any) -> list[Any]:
        """Return the gradients, the scale, and how many good and bad steps there were."""
        attrs, (*grads, found, scale, good, bad) = self.attrs, values
        if bool(found.reshape(())):
            grads = [np.zeros_like(grad) for grad in grads]
        if attrs["stop_update"]:
            return [*grads, scale, good, bad]
        if bool(found.reshape(())):
            good, bad = np.zeros_like(good), bad + 1
            if int(bad.reshape(())) >= attrs["decr_every_n_nan_or_inf"]:
                scale = np.maximum(scale * np.float32(attrs["decr_ratio"]), np.float32(1))
                bad = np.zeros_like(bad)
            return [*grads, scale, good, bad]
        good, bad = good + 1, np.zeros_like(bad)
        if int(good.reshape(())) >= attrs["incr_every_n_steps"]:
            with np.errstate(over="ignore"):
                grown = scale * np.float32(attrs["incr_ratio"])
            scale, good = grown if np.isfinite(grown).all() else scale, np.zeros_like(good)
        return [*grads, scale, good, bad]


# -- appended by the decorated optimizer ------------------------------------------------------------------------------


def check_finite_and_unscale(
    x: Sequence[Variable], scale: Variable, name: str | None = None, float_status: Any = None
) -> tuple[Sequence[Variable], Variable]:
    """Append the division of the gradients `x` by `scale`; return them, and whether one was not finite.

    Raises:
        TypeError: **x** is no list or tuple.
    """
    _check_list(x, "check_finite_and_unscale")
    block = default_main_program().current_block()
    label = numbered(f"{name or unique_name('check_finite_and_unscale')}.tmp")
    found: Variable = block.add(Variable(block, label, Meta((1,), np.dtype("bool")), stop_gradient=True))
    ins, outs = {"X": list(x), "Scale": [scale]}, {"Out": list(x), "FoundInfinite": [found]}
    block.add_op(CheckFiniteAndUnscale(block, CheckFiniteAndUnscale.kind, ins, outs, {}))
    return x, found


def update_loss_scaling(
    x: Sequence[Variable],
    found_inf: Variable,
    prev_loss_scaling: Variable,
    num_good_steps: Variable,
    num_bad_steps: Variable,
    incr_every_n_steps: int,
    decr_every_n_nan_or_inf: int,
    incr_ratio: float,
    decr_ratio: float,
    stop_update: bool = False,
    name: str | None = None,
) -> Sequence[Variable]:
    """Append what adapts the scale, and makes zeros of the gradients `x` after a bad step; return them.

    Raises:
        TypeError: **x** is no list or tuple.
    """
    _check_list(x, "update_loss_scaling")
    state = [prev_loss_scaling, num_good_steps, num_bad_steps]
    ins = dict(
        zip(UpdateLossScaling.full_slots, [list(x), [found_inf], *[[one] for one in state]], strict=True)
    )
    outs = {"Out": list(x), **{out: ins[slot] for out, slot in UpdateLossScaling.over.items()}}
    attrs = {
        "decr_every_n_nan_or_inf": decr_every_n_nan_or_inf,
        "decr_ratio": decr_ratio,
        "incr_every_n_steps": incr_every_n_steps,
        "incr_ratio": incr_ratio,
        "stop_update": stop_update,
    }
    block = default_main_program().current_block()
    block.add_op(UpdateLossScaling(block, UpdateLossScaling.kind, ins, outs, attrs))
    return x


def _check_list(x: Any, name: str) -> None:
    if not isinstance(x, (list, tuple)):
        raise TypeError(
            f"The type of 'x' in {name} must be <class 'tuple'> or <class 'list'>, but received {type(x)}."
        )
