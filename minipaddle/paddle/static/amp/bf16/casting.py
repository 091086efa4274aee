"""bfloat16 in Programs as a CPU has it: calls are cast by lists of their own, no loss is scaled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from minipaddle.engine.core.dtype.bfloat16 import BFLOAT16, wide
from minipaddle.ops.creation.cast import cast
from minipaddle.paddle.static.amp.casting import SINGLE, inputs_of, insert_casts, set_outputs
from minipaddle.paddle.static.amp.decorator import MixedPrecision
from minipaddle.paddle.static.amp.lists import GRAY, AutoMixedPrecisionLists, black, known_types, moved
from minipaddle.paddle.static.program import Block, Operator, Program, TableOperator, Variable
from minipaddle.paddle.static.program.copy import exchange_inside
from minipaddle.paddle.static.program.name_scope import name_scope
from minipaddle.paddle.static.scope import global_scope

GUARD = "__use_bf16__"
_SUPPORTED_TEXT = """
    abs as_strided assign batch_norm bicubic_interp_v2 bilinear_interp_v2 cast clip concat conv2d conv2d_transpose
    diagonal dropout einsum elementwise_add elementwise_div elementwise_floordiv elementwise_max elementwise_min
    elementwise_mod elementwise_mul elementwise_pow elementwise_sub elu equal exp expand_v2 fill_any_like
    fill_constant flatten_contiguous_range gather gaussian_random gelu greater_equal greater_than hard_swish
    index_select isfinite_v2 isinf_v2 isnan_v2 layer_norm leaky_relu less_equal less_than linear_interp_v2 log log10
    log1p log2 log_softmax lookup_table_v2 matmul_v2 max_pool2d_with_index memcpy mish mul nearest_interp_v2
    not_equal pad pad3d pool2d pool3d prelu reduce_max reduce_mean reduce_min reduce_sum relu relu6 reshape2 scale
    set_value sgd shape sigmoid sign size slice softmax softplus split sqrt squeeze2 stack strided_slice sum swish
    tanh transpose2 trilinear_interp_v2 uniform_random unsqueeze2 view_dtype where_index
    """
_SUPPORTED = frozenset(_SUPPORTED_TEXT.split())
"""What Paddle has a kernel for on a CPU."""


class AutoMixedPrecisionListsBF16:
    """Sets of operator types: cast to bfloat16, cast to float32, and such as do as the operator before them.

    Args:
        custom_bf16_list: more types that are cast to bfloat16.
        custom_fp32_list: more types that are cast to float32.
        custom_fp32_varnames: names of Variables whose operators stay in float32.

    Raises:
        ValueError: **Custom bf16 list overlap custom fp32 list**.
    """

    def __init__(
        self,
        custom_bf16_list: Iterable[str] | None = None,
        custom_fp32_list: Iterable[str] | None = None,
        custom_fp32_varnames: Any = None,
    ) -> None:
        if {*(custom_bf16_list or ())} & {*(custom_fp32_list or ())}:
            raise ValueError("Custom bf16 list overlap custom fp32 list")
        self.bf16_list, self.gray_list = set(AutoMixedPrecisionLists().white_list), set(GRAY)
        self.fp32_list = set(black("O1") - black("O2") - GRAY)
        self.bf16_initializer_list = {"fill_constant", "uniform_random"}
        self.unsupported_list = known_types() - _SUPPORTED - self.bf16_list - self.gray_list
        self.fp32_varnames = custom_fp32_varnames
        moved(custom_bf16_list, custom_fp32_list, self.bf16_list, self.gray_list, self.fp32_list)
        self.unsupported_list.update(custom_fp32_list or ())


@contextmanager
def bf16_guard() -> Iterator[None]:
    """Mark what is appended within: with ``use_bf16_guard`` only that computes in bfloat16."""
    with name_scope(GUARD):
        yield


def convert_float_to_uint16(in_list: Any) -> Any:
    """Return floats as the bits of bfloat16: the upper half of those of float32."""
    return (np.asarray(in_list, SINGLE).view(np.uint32) >> 16).astype(np.uint16)


def rewrite_program_bf16(main_prog: Program, amp_lists: Any = None) -> None:
    """Insert casts, so that what the lists name computes in bfloat16; parameters stay float32."""
    lists = AutoMixedPrecisionListsBF16() if amp_lists is None else amp_lists
    low: set[Operator] = set()
    high: set[Operator] = set()
    block = main_prog.global_block()
    for op in list(block.ops):
        kind = _kind(op, lists, low, high)
        if kind:
            (low if kind == "low" else high).add(op)
    for op in list(block.ops):
        if op in high:
            insert_casts(op, BFLOAT16, SINGLE, "fp32")
        elif op in low:
            insert_casts(op, SINGLE, BFLOAT16, "bf16")
            set_outputs(op, BFLOAT16)
    main_prog.changed()


def _kind(op: Operator, lists: Any, low: set[Operator], high: set[Operator]) -> str:
    """Return whether an Operator computes in bfloat16 ("low"), in float32 ("high"), or as it is ("")."""
    named = lists.fp32_varnames or ()
    if op.type in lists.fp32_list or any(
        name in named for name in (*op.input_arg_names, *op.output_arg_names)
    ):
        return "high"
    if op.type in lists.bf16_list:
        return "low"
    if op.type not in lists.gray_list:
        return "high"
    before = [
        one.op for slot in op.inputs.values() for one in slot if one.op is not None and one.op is not op
    ]
    if any(one in high or one.type in lists.fp32_list for one in before):
        return "high"
    return "low" if any(one in low or one.type in lists.bf16_list for one in before) else ""


def cast_model_to_bf16(
    program: Program, startup_prog: Program | None = None, amp_lists: Any = None, use_bf16_guard: bool = True
) -> set[str]:
    """Let nearly all of `program` be bfloat16, parameters and what is fed included; float32 is what has no kernel.

    Args:
        program: without gradients so far.
        startup_prog: where parameters are started in bfloat16; None: nothing is changed.
        amp_lists: which operators stay in float32; None: Paddle's.
        use_bf16_guard: whether only what stands within ``bf16_guard`` is bfloat16.

    Returns:
        the names of the Variables that are bfloat16 now, for :func:`cast_parameters_to_bf16`.
    """
    lists = AutoMixedPrecisionListsBF16() if amp_lists is None else amp_lists
    names: set[str] = set()
    high: set[Operator] = set()
    for op in [op for block in program.blocks for op in block.ops if not op.blocks()]:
        if op.type in lists.unsupported_list or (use_bf16_guard and GUARD not in op.namescope):
            high.add(op)
            continue
        for one in inputs_of(op):
            if one.meta.dtype == SINGLE:
                one.meta = one.meta._replace(dtype=BFLOAT16)
                names.add(one.name)
        set_outputs(op, BFLOAT16)
        op.attrs = {
            name: BFLOAT16 if name in ("dtype", "out_dtype") and value == SINGLE else value
            for name, value in op.attrs.items()
        }
    if startup_prog is not None:
        _start_in_bf16(startup_prog, lists, program.global_block(), high, names)
    for op in high:
        _keep_single(op, high)
    program.changed()
    return names


def _start_in_bf16(startup: Program, lists: Any, block: Block, high: set[Operator], names: set[str]) -> None:
    """Let the startup program write what no float32 Operator reads in bfloat16."""
    read = {one.name for op in high for one in inputs_of(op, low=False) if op.block is block}
    for op in startup.global_block().ops:
        for one in op.writes() if op.type in lists.bf16_initializer_list else ():
            if one.name not in read and one.meta.dtype == SINGLE:
                one.meta = one.meta._replace(dtype=BFLOAT16)
                op.attrs = {**op.attrs, **({"dtype": BFLOAT16} if "dtype" in op.attrs else {})}
                ours = block.vars.get(one.name)
                if ours is not None and ours.meta.dtype == SINGLE:
                    ours.meta = ours.meta._replace(dtype=BFLOAT16)
                names.discard(one.name)
    startup.changed()


def _keep_single(op: Operator, high: set[Operator]) -> None:
    """Cast the inputs of a float32 Operator, and its outputs for those that read them in bfloat16."""
    insert_casts(op, BFLOAT16, SINGLE, "fp32")
    block = op.block
    for out in op.writes():
        if out.meta.dtype is not BFLOAT16:
            continue
        out.meta = out.meta._replace(dtype=SINGLE)
        readers = [
            one for one in block.ops[block.ops.index(op) + 1 :] if one not in high and out in set(one.reads())
        ]
        if readers:
            made = block.create_var(
                f"{out.name}.cast_bf16", out.shape, BFLOAT16, stop_gradient=out.stop_gradient
            )
            call = TableOperator(block, cast, [out], [made], {**cast.defaults, "dtype": BFLOAT16})
            call.where = op.where
            block.add_op(call, block.ops.index(op) + 1)
            for one in readers:
                exchange_inside(one, _exchange(out, made))


def _exchange(old: Variable, new: Variable) -> Any:
    return lambda variable: new if variable is old else variable


def cast_parameters_to_bf16(
    place: Any, program: Program, scope: Any = None, to_bf16_var_names: set[str] | None = None
) -> None:
    """Cut off the lower half of the values that `scope` has of those parameters of `program` that are named."""
    held = global_scope() if scope is None else scope
    for parameter in program.all_parameters():
        found = held.find_var(parameter.name) if parameter.name in (to_bf16_var_names or ()) else None
        if found is not None and found.value is not None:
            found.get_tensor().set(convert_float_to_uint16(wide(found.value)))


class OptimizerWithMixedPrecisionBF16(MixedPrecision):
    """An optimizer of mixed precision with bfloat16; made by :func:`decorate_bf16`."""

    def __init__(self, optimizer: Any, amp_lists: Any, use_pure_bf16: bool, use_bf16_guard: Any) -> None:
        super().__init__(optimizer, amp_lists)
        self._pure, self._guarded = use_pure_bf16, use_bf16_guard

    def _rewrite(self, program: Program) -> None:
        if self._pure:
            lists, guarded = self._amp_lists, bool(self._guarded)
            self._cast_names = cast_model_to_bf16(program, self._startup, lists, guarded)
        else:
            rewrite_program_bf16(program, self._amp_lists)

    def amp_init(
        self, place: Any, scope: Any = None, test_program: Any = None, use_bf16_test: bool = False
    ) -> None:
        """Cut parameters that the startup program has written in float32; rewrite a `test_program`, too.

        Raises:
            AssertionError: before **minimize**.
        """
        assert self._train_program is not None, "Please call the minimize method first."
        if self._pure:
            cast_parameters_to_bf16(place, self._train_program, scope, self._cast_names)
        if test_program is not None and self._pure:
            guarded = bool(self._guarded)
            cast_model_to_bf16(test_program, amp_lists=self._amp_lists, use_bf16_guard=guarded)
        elif test_program is not None and use_bf16_test:
            rewrite_program_bf16(test_program, self._amp_lists)


def decorate_bf16(
    optimizer: Any, amp_lists: Any = None, use_pure_bf16: bool = False, use_bf16_guard: bool | None = None
) -> OptimizerWithMixedPrecisionBF16:
    """Return `optimizer` for mixed precision with bfloat16: its ``minimize`` casts the Program.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/2.6/api/paddle/static/amp/decorate_en.html)

    Args:
        optimizer: what updates.
        amp_lists: which operators compute in bfloat16; None: Paddle's.
        use_pure_bf16: whether parameters are bfloat16, too.
        use_bf16_guard: whether only what stands within ``bf16_guard`` is; None: as `use_pure_bf16`.
    """
    lists = AutoMixedPrecisionListsBF16() if amp_lists is None else amp_lists
    guarded = use_pure_bf16 if use_bf16_guard is None else use_bf16_guard
    return OptimizerWithMixedPrecisionBF16(optimizer, lists, use_pure_bf16, guarded)
