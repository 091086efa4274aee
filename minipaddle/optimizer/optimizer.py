"""Optimizer: what all of them share, from parameter groups to the state that is saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from minipaddle.autograd.backward import clear_grad
from minipaddle.autograd.tensor import Tensor
from minipaddle.core.meta import Attrs
from minipaddle.core.mode import current, within
from minipaddle.core.operator import Operator
from minipaddle.nn.clip import ClipGradBase
from minipaddle.optimizer.groups import Group, groups_of
from minipaddle.optimizer.lr import LambdaDecay, LRScheduler
from minipaddle.optimizer.state import State
from minipaddle.regularizer import L2Decay, WeightDecayRegularizer

__all__ = ["Optimizer"]

Pair = tuple[Tensor, Tensor]


class Accumulator(NamedTuple):
    """A piece of state that an algorithm keeps for each parameter."""

    name: str
    start: float | str = 0.0  # a number, or the name of one of the algorithm's
    single: bool = False  # one number, not one per element


class Optimizer:
    """Base of all optimizers; an algorithm adds its operator, its accumulators and its numbers.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Optimizer_en.html)

    Args:
        learning_rate: a float or a scheduler.
        parameters: tensors to train, or groups: dicts of ``params`` and options for them. Their
            ``learning_rate`` multiplies the optimizer's; ``weight_decay``, ``grad_clip`` and the numbers of
            the algorithm replace it.
        weight_decay: a float (L2) or a regularizer; one that a parameter brings along wins.
        grad_clip: an object of :mod:`minipaddle.nn.clip`.
        name: not used.

    Raises:
        AttributeError: **parameters argument ... should not be None**.
        TypeError: **learning rate** is neither float nor scheduler, or another argument has the wrong type.
    """

    operator: ClassVar[Operator]
    accumulators: Sequence[Accumulator] = ()
    """In the order in which the operator takes them."""
    rate_first: ClassVar[bool] = True
    """Whether the operator takes the learning rate before the state, or after it."""

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        parameters: Any = None,
        weight_decay: float | WeightDecayRegularizer | None = None,
        grad_clip: ClipGradBase | None = None,
        name: str | None = None,
        **numbers: Any,
    ) -> None:
        _check_learning_rate(learning_rate)
        _check_clip(grad_clip)
        self._learning_rate = learning_rate
        self.regularization = _regularizer(weight_decay)
        self._grad_clip = grad_clip
        self._numbers = numbers
        """The algorithm's numbers, such as ``beta1``; a group may replace them."""
        self._groups = groups_of(parameters)
        self._state = State()
        self._rates: dict[tuple[float, Any], Tensor] = {}

    # -- the learning rate

    def get_lr(self) -> float:
        """Return the learning rate in use now."""
        return self._learning_rate() if isinstance(self._learning_rate, LRScheduler) else self._learning_rate

    def set_lr(self, value: float) -> None:
        """Set the learning rate by hand.

        Raises:
            TypeError: if `value` is no number.
            RuntimeError: if a scheduler is in charge.
        """
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(
                f"The type of 'value' in optimizer.set_lr must be float, but received {type(value).__name__}."
            )
        if isinstance(self._learning_rate, LRScheduler):
            raise RuntimeError(
                "optimizer's learning rate can't be LRScheduler when invoke this API, because this will lead "
                "to conflict. Use set_lr_scheduler() to put another scheduler in its place."
            )
        self._learning_rate = float(value)

    def set_lr_scheduler(self, scheduler: LRScheduler) -> None:
        """Put another scheduler in charge."""
        if not isinstance(scheduler, LRScheduler):
            raise TypeError(
                "The type of 'scheduler' in optimizer.set_lr_scheduler must be LRScheduler, "
                f"but received {type(scheduler).__name__}."
            )
        self._learning_rate = scheduler

    def _rate_for(self, parameter: Tensor, group: Group) -> Tensor:
        """Return the learning rate of one parameter as the operator wants it: a Tensor [1]."""
        wishes: dict[str, float] = getattr(parameter, "optimize_attr", _NO_ATTR)
        value = self.get_lr() * wishes.get("learning_rate", 1.0) * group.learning_rate
        dtype = _DOUBLE if parameter.array.dtype == _DOUBLE else _SINGLE
        rate = self._rates.get((value, dtype))
        if rate is None:
            if len(self._rates) > 64:  # a schedule leaves a new value every step
                self._rates.clear()
            rate = self._rates[value, dtype] = Tensor(np.array([value], dtype))
        return rate

    # -- one step

    def step(self) -> None:
        """Update every parameter that has a gradient; the others are passed over.

        The content of the parameters changes, their history and version do not.
        """
        with within(current.get().with_grad(False)):
            for group in self._groups:
                self._update(group, [(p, p._grad) for p in group.params if p._grad is not None and p.edge])

    def minimize(
        self,
        loss: Tensor,
        startup_program: Any = None,
        parameters: Any = None,
        no_grad_set: Any = None,
    ) -> tuple[list[Any], list[Pair]]:
        """Update the parameters with the gradients that ``loss.backward()`` left: call that first.

        Returns:
            An empty list (of the operators a Program would gain) and the pairs of parameter and gradient.
        """
        chosen = None if parameters is None else {id(parameter) for parameter in parameters}
        pairs: list[Pair] = []
        with within(current.get().with_grad(False)):
            for group in self._groups:
                found = [(p, p._grad) for p in group.params if p._grad is not None and p.edge]
                mine = [pair for pair in found if chosen is None or id(pair[0]) in chosen]
                self._update(group, mine)
                pairs += mine
        return [], pairs

    def apply_gradients(self, params_grads: Sequence[Pair]) -> list[Any]:
        """Update with these pairs of parameter and gradient; returns an empty list, see :meth:`minimize`."""
        with within(current.get().with_grad(False)):
            for group in self._groups:
                members = {id(parameter) for parameter in group.params}
                self._update(group, [pair for pair in params_grads if id(pair[0]) in members])
        return []

    def _update(self, group: Group, pairs: Sequence[Pair]) -> None:
        """Clip, regularize, and apply the operator to each parameter."""
        clip = group.options.get("grad_clip", self._grad_clip)
        if clip is not None:
            pairs = clip(pairs)
        shared = self._shared_rule(group)
        mode = current.get()
        for parameter, grad in pairs:
            own = getattr(parameter, "regularizer", None)
            rule = shared if own is None else own
            grad = grad if rule is None else rule.add_to(grad, parameter)
            attrs = self._attrs(parameter, group)
            mode.apply_update(self.operator, self._inputs(parameter, grad, group, attrs), attrs)

    def _shared_rule(self, group: Group) -> WeightDecayRegularizer | None:
        """Return the regularizer of the parameters that bring none along."""
        return (
            _regularizer(group.options["weight_decay"])
            if "weight_decay" in group.options
            else self.regularization
        )

    def _inputs(self, parameter: Tensor, grad: Tensor, group: Group, attrs: Attrs) -> tuple[Tensor, ...]:
        rate = self._rate_for(parameter, group)
        state = [self._accumulator(one, parameter, attrs) for one in self.accumulators]
        return (parameter, grad, rate, *state) if self.rate_first else (parameter, grad, *state, rate)

    def _attrs(self, parameter: Tensor, group: Group) -> Attrs:
        """Return the attributes of the operator for one parameter."""
        if not group.options:
            return self._numbers
        return self._numbers | {name: group.options[name] for name in group.options if name in self._numbers}

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Set the gradients of all parameters to zeros, or to None."""
        for group in self._groups:
            for parameter in group.params:
                clear_grad(parameter, set_to_zero)

    clear_gradients = clear_grad

    # -- its state

    def _accumulator(self, one: Accumulator, parameter: Tensor, attrs: Attrs) -> Tensor:
        found = self._state.get(one.name, parameter)
        if found is None:
            start = attrs[one.start] if isinstance(one.start, str) else one.start
            shape = (1,) if one.single else parameter.array.shape
            found = self._state.add(one.name, parameter, np.full(shape, start, parameter.array.dtype))
        return found

    def state_dict(self) -> dict[str, Any]:
        """Return every accumulator by name (``linear_0.w_0_moment1_0``), and ``LR_Scheduler`` if there."""
        state = self._state.named()
        if isinstance(self._learning_rate, LRScheduler):
            state["LR_Scheduler"] = self._learning_rate.state_dict()
        return state

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a saved state; accumulators that do not exist yet will start from it.

        Raises:
            AssertionError: naming what is missing.
        """
        if isinstance(self._learning_rate, LRScheduler):
            saved = state_dict.get("LR_Scheduler")
            assert saved is not None or isinstance(self._learning_rate, LambdaDecay), (
                "LR_Scheduler state must be included in the state dict except LambdaDecay"
            )
            if saved:
                self._learning_rate.set_state_dict(saved)
        self._state.load({name: value for name, value in state_dict.items() if name not in _NOT_TENSORS})

    load_state_dict = set_state_dict


_NO_ATTR: dict[str, float] = {}
_DOUBLE, _SINGLE = np.dtype("float64"), np.dtype("float32")
_NOT_TENSORS = ("LR_Scheduler", "master_weights")


def _check_learning_rate(value: Any) -> None:
    if isinstance(value, (LRScheduler, float)):
        return
    if value is None:
        raise ValueError("learning_rate is not set")
    raise TypeError(f"learning rate should be float or LRScheduler, got {type(value).__name__} here")


def _check_clip(value: Any) -> None:
    if value is not None and not isinstance(value, ClipGradBase):
        raise TypeError("'grad_clip' should be an instance of GradientClipBase's derived class")


def _regularizer(weight_decay: Any) -> WeightDecayRegularizer | None:
    if weight_decay is None or isinstance(weight_decay, WeightDecayRegularizer):
        return weight_decay
    if isinstance(weight_decay, (int, float)):
        return L2Decay(float(weight_decay))
    raise TypeError(
        f"weight_decay should be a float or a regularizer, but received {type(weight_decay).__name__}"
    )
