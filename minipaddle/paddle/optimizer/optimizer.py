"""Optimizer: the base of all, from parameter groups to the saved state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from minipaddle.engine.errors import locate
from minipaddle.engine.extension_point import Point
from minipaddle.engine.mode.eager import current, run_inside
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.optimizer_steps.sgd import other_shape
from minipaddle.paddle.nn.clip import ClipGradBase
from minipaddle.paddle.optimizer.accumulators import Accumulator, State
from minipaddle.paddle.optimizer.lr.decay import LambdaDecay
from minipaddle.paddle.optimizer.lr.scheduler import LRScheduler
from minipaddle.paddle.optimizer.param_groups import Group, groups_of, require_parameters
from minipaddle.paddle.regularizer import L2Decay, WeightDecayRegularizer

Pair = tuple[Tensor, Tensor]
append_training, append_gradients, append_step = (
    Point(f"Optimizer.{half} in a Program") for half in ("minimize", "backward", "apply_gradients")
)
"""Points that append the two halves of a step to a Program: filled by static/gradient."""


class Optimizer:
    """Base of all optimizers; an algorithm adds its operator, its accumulators and its numbers.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Optimizer_en.html)

    Args:
        learning_rate: a float or a scheduler.
        parameters: tensors to train, or groups: dicts of ``params`` and options for them. Their
            ``learning_rate`` multiplies the optimizer's; ``weight_decay``, ``grad_clip`` and the numbers of
            the algorithm replace it.
        weight_decay: a float (L2) or a regularizer; a parameter's own regularizer takes precedence.
        grad_clip: an object of :mod:`minipaddle.paddle.nn.clip`.

    Raises:
        AttributeError: **parameters argument ... should not be None**.
        TypeError: **learning rate** is neither float nor scheduler, or another argument has the wrong type.
    """

    operator: Operator | None = None
    """The update operator of an algorithm; the base has none."""
    accumulators: Sequence[Accumulator] = ()
    """The accumulators, in the order of the operator's inputs."""
    _multi_precision = False
    """Whether 16-bit parameters have a float32 master weight (``multi_precision=True``, ``amp.decorate``)."""
    rate_at: ClassVar[int] = 0
    """The position of the learning rate in the operator's state: first, unless an algorithm overrides it."""

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
        self._is_set = False
        self.regularization = _regularizer(weight_decay)
        self._grad_clip = grad_clip
        self._numbers = {**(self.operator.defaults if self.operator else {}), **numbers}
        """The algorithm's numbers, such as ``beta1``; a group may replace them."""
        self._groups = groups_of(parameters)
        self._state = State()
        for one in current.get().tell:
            one.trains(self)

    # -- the learning rate

    @property
    def learning_rate(self) -> float | LRScheduler:
        """The number or the scheduler."""
        return self._learning_rate

    def get_lr(self) -> float:
        """Return the current learning rate."""
        return self._learning_rate() if isinstance(self._learning_rate, LRScheduler) else self._learning_rate

    @property
    def rate_source(self) -> str:
        """What gives each step its learning rate: a scheduler's class, or set_lr; "" if the rate stays."""
        if isinstance(self._learning_rate, LRScheduler):
            return type(self._learning_rate).__name__
        return "set_lr" if self._is_set else ""

    def set_lr(self, value: float) -> None:
        """Set the learning rate by hand.

        Raises:
            TypeError: if `value` is no number.
            RuntimeError: if a scheduler sets it.
            AssertionError: while building a Program: **dynamic** mode only.
        """
        dynamic_only("set_lr")
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(
                f"The type of 'value' in optimizer.set_lr must be float, but received {type(value).__name__}."
            )
        if isinstance(self._learning_rate, LRScheduler):
            raise RuntimeError(
                "optimizer's learning rate can't be LRScheduler when invoke this API, because this will lead "
                "to conflict. Use set_lr_scheduler() to put another scheduler in its place."
            )
        self._learning_rate, self._is_set = float(value), True

    def set_lr_scheduler(self, scheduler: LRScheduler) -> None:
        """Replace the scheduler."""
        if not isinstance(scheduler, LRScheduler):
            raise TypeError(
                "The type of 'scheduler' in optimizer.set_lr_scheduler must be LRScheduler, "
                f"but received {type(scheduler).__name__}."
            )
        self._learning_rate = scheduler

    # -- one step

    def step(self) -> None:
        """Update every parameter that has a gradient; others are skipped.

        The content of the parameters changes, their history and version do not.

        Raises:
            IndexError: **list index out of range**, if the optimizer has no parameter at all.
        """
        dynamic_only("step")
        require_parameters(self._groups)
        self._update_groups(lambda group: _ready(group.params))

    def minimize(
        self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None
    ) -> tuple[list[Any], list[Pair]]:
        """Update the parameters with the gradients that ``loss.backward()`` left: call that first.

        While building a Program, append gradients and updates to the Program of `loss`.

        Args:
            loss: the value to minimize.
            startup_program: for a Program: where the learning rate and the state get their first values.
            parameters: the parameters to train; None: the optimizer's, in a Program all trainable ones.
            no_grad_set: for a Program: Variables that let no gradient pass.

        Returns:
            The update Operators that a Program gained, and the pairs of parameter and gradient.

        Raises:
            AssertionError: **loss** is no Variable, while building.
        """
        if not current.get().dynamic:
            found: tuple[list[Any], list[Pair]] = append_training(
                self, loss, startup_program, parameters, no_grad_set
            )
            return found
        chosen = None if parameters is None else {id(parameter) for parameter in parameters}
        pairs = _ready(parameter for group in self._groups for parameter in group.params)
        mine = [pair for pair in pairs if chosen is None or id(pair[0]) in chosen]
        self.apply_gradients(mine)
        return [], mine

    def backward(
        self,
        loss: Any,
        startup_program: Any = None,
        parameters: Any = None,
        no_grad_set: Any = None,
        callbacks: Any = None,
    ) -> list[Pair]:
        """Return pairs of parameter and gradient: the first half of :meth:`minimize`, with the same arguments."""
        if not current.get().dynamic:
            found: list[Pair] = append_gradients(self, loss, parameters, no_grad_set, callbacks)
            return found
        loss.backward()
        return _ready(parameter for group in self._groups for parameter in group.params)

    def apply_gradients(self, params_grads: Sequence[Pair]) -> list[Any]:
        """Update with these pairs of parameter and gradient; return the first result of :meth:`minimize`."""
        if not current.get().dynamic:
            appended: list[Any] = append_step(self, params_grads)
            return appended
        self._update_groups(lambda group: group.of(params_grads))
        return []

    def _update_groups(self, pairs_of: Callable[[Group], Sequence[Pair]]) -> None:
        def update() -> None:
            for group in self._groups:
                self.update(group, pairs_of(group), self._state)

        run_inside(current.get().with_grad(False), update)

    @property
    def groups(self) -> list[Group]:
        """The parameter groups."""
        return self._groups

    def update(self, group: Group, pairs: Sequence[Pair], state: Any) -> None:
        """Clip, regularize, and apply the operator to each parameter of `group`; `state` keeps the accumulators."""
        assert self.operator is not None
        to_check = pairs if current.get().dynamic else ()
        for parameter, grad in to_check:  # a refusal comes before the first update
            if grad.array.shape != parameter.array.shape:
                raise locate(other_shape(parameter.array, grad.array), self.operator.type)
        clip = group.options.get("grad_clip", self._grad_clip)
        if clip is not None:
            pairs = clip(pairs)

        def decayed(parameter: Any, grad: Any) -> Any:
            rule = self._rule(parameter, group)
            return grad if rule is None else rule.add_to(grad, parameter)

        mode = current.get()
        for parameter, grad in state.decayed(pairs, decayed):
            attrs = self._attrs(parameter, group)
            if self._multi_precision and parameter.dtype.itemsize == 2:
                self._step_in_single(parameter, grad, group, attrs, state)
                continue
            inputs = self._inputs(parameter, grad, group, attrs, state)
            mode.apply_inplace(self.operator, inputs, attrs)

    def _step_in_single(self, parameter: Any, grad: Any, group: Group, attrs: Attrs, state: Any) -> None:
        """Step with the float32 master weight of a parameter of 16 bits, which small steps would not move; round it."""
        mode, master = current.get(), state.master(parameter)
        inputs = self._inputs(master, grad.astype("float32"), group, attrs, state)
        assert self.operator is not None
        mode.apply_inplace(self.operator, inputs, attrs)
        state.round(master, parameter)

    def _rule(self, parameter: Any, group: Group) -> WeightDecayRegularizer | None:
        """Return the regularizer of a parameter: its own one takes precedence."""
        own: WeightDecayRegularizer | None = getattr(parameter, "regularizer", None)
        return self._shared_rule(group) if own is None else own

    def _shared_rule(self, group: Group) -> WeightDecayRegularizer | None:
        """Return the regularizer of the parameters without their own."""
        return _regularizer(group.options.get("weight_decay", self.regularization))

    def _inputs(self, parameter: Any, grad: Any, group: Group, attrs: Attrs, state: Any) -> tuple[Any, ...]:
        """Return the inputs of the operator for one parameter."""
        rate = state.rate(self, parameter, group.share(parameter))
        held = [
            state.accumulator(one, parameter, attrs[one.start] if isinstance(one.start, str) else one.start)
            for one in self.accumulators
        ]
        held.insert(self.rate_at, rate)
        return parameter, grad, *held

    def _attrs(self, parameter: Any, group: Group) -> Attrs:
        """Return the attributes of the operator for one parameter."""
        return {name: group.options.get(name, number) for name, number in self._numbers.items()}

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Set the gradients of all parameters to zeros, or to None; frozen ones keep theirs, as in Paddle."""
        for group in self._groups:
            for parameter in group.params:
                if parameter.edge:
                    parameter.clear_grad(set_to_zero)

    clear_gradients = clear_grad

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradients of all parameters to None, or to zeros."""
        self.clear_grad(set_to_zero=not set_to_none)

    def keep_master_weights(self, wanted: bool) -> None:
        """Choose whether 16-bit parameters have a float32 master weight for the updates."""
        self._multi_precision = wanted

    # -- its state

    def state_dict(self) -> dict[str, Any]:
        """Return every accumulator by name (``linear_0.w_0_moment1_0``), and ``LR_Scheduler`` if there."""
        state = self._state.named()
        if isinstance(self._learning_rate, LRScheduler):
            state["LR_Scheduler"] = self._learning_rate.state_dict()
        return state

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load a saved state; accumulators that do not exist yet will start from it.

        Raises:
            AssertionError: naming a missing value.
        """
        if isinstance(self._learning_rate, LRScheduler):
            saved = state_dict.get("LR_Scheduler")
            assert saved is not None or isinstance(self._learning_rate, LambdaDecay), (
                "LR_Scheduler state must be included in the state dict except LambdaDecay"
            )
            if saved:
                self._learning_rate.set_state_dict(saved)
        self._state.load({name: value for name, value in state_dict.items() if name != "LR_Scheduler"})

    load_state_dict = set_state_dict


def _ready(parameters: Iterable[Tensor]) -> list[Pair]:
    """Return the trainable parameters that have a gradient, in pairs."""
    return [(p, grad) for p in parameters if p.edge and (grad := p.grad) is not None]


def dynamic_only(what: str) -> None:
    """Raise for a call of `what` while a Program is built.

    Raises:
        AssertionError: **dynamic** mode only.
    """
    assert current.get().dynamic, (
        f"We only support '{what}()' in dynamic graph mode, please call 'paddle.disable_static()' to enter it."
    )


def _check_learning_rate(value: Any) -> None:
    if isinstance(value, (LRScheduler, float)):
        return
    if value is None:
        raise ValueError("learning_rate is not set")
    raise TypeError(
        f"learning rate should be float or LRScheduler, got {type(value).__name__} here\n"
        "  [Hint: the learning rate comes first; parameters=... are given by name]"
    )


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
