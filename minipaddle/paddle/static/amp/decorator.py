"""``static.amp.decorate``: an optimizer whose ``minimize`` rewrites the Program, and scales the loss."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from minipaddle.engine.core.eager import within
from minipaddle.engine.names.unique import unique_name
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.logic.logical import any as any_of
from minipaddle.ops.logic.logical import logical_not
from minipaddle.ops.manipulation.concat import concat
from minipaddle.paddle.optimizer import Adam, Optimizer
from minipaddle.paddle.static.amp.casting import SINGLE, cast_model_to_fp16, cast_parameters_to_fp16
from minipaddle.paddle.static.amp.lists import AutoMixedPrecisionLists, checked_dtype
from minipaddle.paddle.static.build import BUILDING, exactly
from minipaddle.paddle.static.build.parameters import create_global_var
from minipaddle.paddle.static.control_flow.cond import branch
from minipaddle.paddle.static.gradient.loss_scaling import check_finite_and_unscale, update_loss_scaling
from minipaddle.paddle.static.gradient.minimize import Pair, ProgramState
from minipaddle.paddle.static.gradient.wrapping import WrappingOptimizer
from minipaddle.paddle.static.program import Operator, Program, Role, Variable, program_guard


class MixedPrecision(WrappingOptimizer):
    """What the optimizers of mixed precision share: they do as the one that they are made of, on another Program."""

    def __init__(self, optimizer: Any, amp_lists: Any) -> None:
        super().__init__(optimizer)
        self._amp_lists = amp_lists
        self._train_program: Program | None = None
        self._startup: Program | None = None
        """The startup program that ``minimize`` was given."""
        self._cast_names: set[str] = set()

    def backward(
        self,
        loss: Variable,
        startup_program: Any = None,
        parameter_list: Any = None,
        no_grad_set: Any = None,
        callbacks: Any = None,
    ) -> list[Pair]:
        """Rewrite the Program of `loss` and append gradients; return pairs of parameter and gradient."""
        self._train_program, self._startup = loss.block.program, startup_program
        with program_guard(self._train_program, startup_program):
            self._prepare()
            if not callable(self._optimizer.learning_rate):
                ProgramState.of(self._optimizer, self._train_program).start_rate(
                    self._optimizer, (1,), "float32"
                )
            self._rewrite(self._train_program)
            start = self._scaled(loss.astype("float32") if loss.meta.dtype != SINGLE else loss)
            return super().backward(start, startup_program, parameter_list, no_grad_set, callbacks)

    def _prepare(self) -> None:
        """Make what the optimizer keeps for itself."""

    def _rewrite(self, program: Program) -> None:
        """Rewrite `program`."""
        raise NotImplementedError

    def _scaled(self, loss: Variable) -> Variable:
        """Return what is differentiated in the place of `loss`."""
        return loss

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_optimizer"], name)


class OptimizerWithMixedPrecision(MixedPrecision):
    """An optimizer of mixed precision; made by :func:`decorate`."""

    def __init__(
        self,
        optimizer: Any,
        amp_lists: Any,
        level: str,
        dtype: str,
        init_loss_scaling: float,
        use_dynamic_loss_scaling: bool,
        incr_every_n_steps: int,
        decr_every_n_nan_or_inf: int,
        incr_ratio: float,
        decr_ratio: float,
        use_amp_guard: Any = None,
        use_master_grad: bool = False,
        use_promote: bool = False,
    ) -> None:
        super().__init__(optimizer, amp_lists)
        if dtype == "bfloat16" and use_dynamic_loss_scaling:
            use_dynamic_loss_scaling, init_loss_scaling = False, 1.0
            warnings.warn(
                "Dynamic loss scaling for bfloat16 amp training is disabled, and the init_loss_scaling is changed to "
                "1.0 automatically by PaddlePaddle.",
                stacklevel=3,
            )
        self._level, self._dtype, self._guarded = level, dtype, use_amp_guard
        self._init_loss_scaling, self._dynamic = init_loss_scaling, use_dynamic_loss_scaling
        self._adapting = incr_every_n_steps, decr_every_n_nan_or_inf, incr_ratio, decr_ratio
        self._master_grad = use_master_grad and level == "O2"
        self.use_promote = use_promote
        self._loss_scaling: Variable | None = None
        self._scaled_loss: Variable | None = None

    def get_loss_scaling(self) -> Variable:
        """Return the Variable that holds the scale.

        Raises:
            AssertionError: before **minimize**.
        """
        assert self._loss_scaling is not None, "Please call minimize() before calling get_loss_scaling()."
        return self._loss_scaling

    def get_scaled_loss(self) -> Variable | None:
        """Return the Variable of the loss times the scale; None before ``minimize``."""
        return self._scaled_loss

    def amp_init(
        self,
        place: Any,
        scope: Any = None,
        test_program: Any = None,
        use_fp16_test: bool = False,
        rewrite_master_weight: bool = False,
    ) -> None:
        """Round what the startup program has written into parameters of 16 bits; rewrite a `test_program`, too.

        Raises:
            AssertionError: before **minimize**.
        """
        assert self._train_program is not None, "Please call the minimize method first."
        if self._level == "O2":
            masters = ProgramState.of(self._optimizer, self._train_program).masters
            by_name = {one.name: master for master, one in masters.items()}
            cast_parameters_to_fp16(
                place,
                self._train_program,
                scope,
                self._cast_names,
                self._dtype,
                rewrite_master_weight,
                by_name,
            )
        if test_program is not None and (self._level == "O2" or use_fp16_test):
            self._cast_model(test_program)

    def _cast_model(self, program: Program) -> set[str]:
        guarded = self._level == "O2" and bool(self._guarded)
        level = self._level
        return cast_model_to_fp16(program, self._amp_lists, guarded, self._dtype, level, self.use_promote)

    def _prepare(self) -> None:
        def number(name: str, value: float, dtype: str) -> Variable:
            return create_global_var([1], value, dtype, persistable=True, name=unique_name(name))

        self._loss_scaling = number("loss_scaling", self._init_loss_scaling, "float32")
        if self._dynamic:
            self._steps = number("num_good_steps", 0, "int32"), number("num_bad_steps", 0, "int32")

    def _rewrite(self, program: Program) -> None:
        self._cast_names = self._cast_model(program)

    @property
    def _scales(self) -> bool:
        return self._dynamic or self._init_loss_scaling != 1.0

    def _scaled(self, loss: Variable) -> Variable:
        self._scaled_loss = loss * self._loss_scaling if self._scales else loss
        return self._scaled_loss

    def apply_gradients(self, params_grads: Sequence[Pair]) -> list[Operator]:
        """Append the look at the gradients, the change of the scale and the updates."""
        program = self._train_program
        assert program is not None
        _cast_late(program, params_grads)
        pairs = self._in_single(program, params_grads)
        if not self._scales:
            return super().apply_gradients(pairs)
        grads = [grad for _, grad in pairs]
        groups = [("", grads)]
        if self._level == "O2":
            low = [grad for grad in grads if grad.meta.dtype != SINGLE]
            groups = [("_fp32", [grad for grad in grads if grad.meta.dtype == SINGLE]), ("_fp16", low)]
            groups = [group for group in groups if group[1]]
        with program.as_role(Role.OPTIMIZE), within(BUILDING):
            found = self._look(groups)
            if self._dynamic and self._dtype == "float16":
                self._adapt(groups, found)
        if isinstance(self._optimizer, Adam):  # whose moments would move it
            return self._unless(found, program, pairs)
        return super().apply_gradients(pairs)

    def _look(self, groups: Sequence[tuple[str, list[Variable]]]) -> Variable:
        found = []
        for suffix, grads in groups:
            _, one = check_finite_and_unscale(grads, self.get_loss_scaling(), f"find_infinite_scale{suffix}")
            assert one.op is not None
            one.op.role_var = [grad.name for grad in grads]
            found.append(one)
        whole: Variable = found[0] if self._level != "O2" else any_of(concat(found))
        return whole

    def _adapt(self, groups: Sequence[tuple[str, list[Variable]]], found: Variable) -> None:
        for place, (_, grads) in enumerate(groups):
            scale = self.get_loss_scaling()
            good, bad = self._steps
            every, bad_every, grows, shrinks = self._adapting
            update_loss_scaling(
                grads, found, scale, good, bad, every, bad_every, grows, shrinks, stop_update=place > 0
            )

    def _unless(self, found: Variable, program: Program, pairs: Sequence[Pair]) -> list[Operator]:
        """Append the updates in a branch that does not run after a bad step."""
        ops: list[Operator] = []
        with program.as_role(Role.OPTIMIZE), within(BUILDING):
            branch(logical_not(found), lambda: ops.extend(self._optimizer.apply_gradients(pairs)))
        return ops

    def _in_single(self, program: Program, pairs: Sequence[Pair]) -> Sequence[Pair]:
        """Return the pairs with float32 copies of the gradients, if they are wanted."""
        if not self._master_grad:
            return pairs

        def master(grad: Variable) -> Any:
            if grad.meta.dtype == SINGLE:
                return grad
            with exactly(unique_name(f"{grad.name}_fp32_master")):
                return cast(grad, "float32")

        with program_guard(program), within(BUILDING):
            return [(one, master(grad)) for one, grad in pairs]


def _cast_late(program: Program, pairs: Sequence[Pair]) -> None:
    """Move the casts that end in float32 gradients behind all others, to the updates that they are for."""
    ops = program.global_block().ops
    for parameter, grad in pairs:
        op = grad.op
        if op is None or op.type != "cast" or grad.meta.dtype != SINGLE or op not in ops:
            continue
        (low,) = op.inputs["X"]
        op.role, op.role_var = Role.OPTIMIZE, []
        if low.op is not None:
            low.op.role_var = [parameter.name, low.name, *low.op.role_var]
        ops.remove(op)
        ops.append(op)
    program.changed()


def decorate(
    optimizer: Any,
    amp_lists: Any = None,
    level: Any = "O1",
    dtype: str = "float16",
    master_weight: bool | None = None,
    master_grad: bool = False,
    init_loss_scaling: float | None = None,
    incr_every_n_steps: int | None = None,
    decr_every_n_nan_or_inf: int | None = None,
    incr_ratio: float = 2.0,
    decr_ratio: float | None = None,
    use_dynamic_loss_scaling: bool | None = None,
    use_amp_guard: bool = False,
    use_promote: bool = False,
    use_pure_fp16: bool | None = None,
    use_fp16_guard: bool | None = None,
    use_bf16: bool | None = None,
) -> OptimizerWithMixedPrecision:
    """Return `optimizer` for mixed precision: its ``minimize`` casts the Program and scales the loss.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/2.6/api/paddle/static/amp/decorate_en.html)

    Args:
        optimizer: what updates.
        amp_lists: which operators compute in 16 bits; None: Paddle's.
        level: ``O1``, ``O2`` (nearly all, and the parameters), ``OD`` (only the white list), ``O0``.
        dtype: ``float16`` or ``bfloat16``.
        master_weight: whether parameters of 16 bits have a float32 master weight; None: yes.
        master_grad: whether gradients are cast to float32 before the updates, in level O2.
        init_loss_scaling: the scale at first.
        incr_every_n_steps: after so many good steps the scale grows ...
        decr_every_n_nan_or_inf: ... and shrinks after so many bad ones.
        incr_ratio: what it grows by.
        decr_ratio: what it shrinks by.
        use_dynamic_loss_scaling: whether it changes; None: for float16.
        use_amp_guard: whether only what stands within ``fp16_guard`` computes in 16 bits.
        use_promote: whether a float32 input makes a call one of float32.
        use_pure_fp16: level O2, as older versions wrote it, with a scale of their own; so the next two.
        use_fp16_guard: as `use_amp_guard`; None: as `use_pure_fp16`.
        use_bf16: bfloat16.

    Raises:
        ValueError: **level should be** one of the four; **dtype should be** one of the two.
    """
    if isinstance(level, float):  # the third of older versions
        init_loss_scaling, use_fp16_guard, level = level, False, "O1"
    older = not (use_pure_fp16 is None and use_fp16_guard is None and use_bf16 is None)
    if older:
        level, dtype = "O2" if use_pure_fp16 else "O1", "bfloat16" if use_bf16 else "float16"
        use_amp_guard = bool(use_pure_fp16 if use_fp16_guard is None else use_fp16_guard)
        use_dynamic_loss_scaling = True if use_dynamic_loss_scaling is None else use_dynamic_loss_scaling
    start, every, bad, ratio = (2**15, 1000, 2, 0.8) if older else (2**16, 2000, 1, 0.5)
    level = level.upper()
    if level not in ("O0", "OD", "O1", "O2"):
        raise ValueError("level should be O0, OD, O1 or O2.")
    dtype = checked_dtype(dtype)
    lists = AutoMixedPrecisionLists(dtype=dtype) if amp_lists is None or level == "OD" else amp_lists
    if use_dynamic_loss_scaling is None:
        use_dynamic_loss_scaling = dtype == "float16"
    if level == "O2" and not older and not isinstance(optimizer, Optimizer):
        raise RuntimeError(
            "Current AMP training level is O2, optimizer is expected to be paddle.optimizer.Optimizer, but "
            f"receive {type(optimizer)}."
        )
    if not older and isinstance(optimizer, Optimizer):
        optimizer.keep_master_weights(master_weight is not False)
    return OptimizerWithMixedPrecision(
        optimizer,
        lists,
        level,
        dtype,
        start if init_loss_scaling is None else init_loss_scaling,
        use_dynamic_loss_scaling,
        every if incr_every_n_steps is None else incr_every_n_steps,
        bad if decr_every_n_nan_or_inf is None else decr_every_n_nan_or_inf,
        incr_ratio,
        ratio if decr_ratio is None else decr_ratio,
        use_amp_guard,
        master_grad,
        use_promote,
    )
