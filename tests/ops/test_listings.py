"""The operators' printed forms are those of Paddle 2.6.2 (recorded in `tests/support/parity/results`).

Every operator of the table is tested. A difference from Paddle has a line with its reason below, and the
tests complain about lines that are no longer needed.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.value.meta import meta_of
from minipaddle.ops.definition.program_printing import listed_operator, printed
from minipaddle.ops.definition.traits import has
from minipaddle.tools.words.group_by import grouped
from tests.support.operators import ALL, DIFFERENTIABLE, each, example, kernel
from tests.support.parity import RESULTS

pytestmark = pytest.mark.sweep

RECORD = json.loads((RESULTS / "listings_2.6.2.json").read_text())
PROTOS = RECORD["protos"]

OURS = {
    "for gradient rules: the gradient of another operator, or a part of one": [
        "adaptive_pool2d_grad", "adaptive_pool3d_grad", "add_along_axis", "cofactors", "conv2d_filter_grad",
        "conv3d_filter_grad", "expand_view",
        "interpolate_spread",
        "last_along_axis", "last_at", "linear_recurrence", "lookup_table_v2_grad_rows", "nll_loss_spread",
        "pad3d_grad_sum", "places_read", "places_spread", "pool2d_mask", "pool2d_pick", "pool2d_spread",
        "pool3d_pick", "pool3d_spread", "scatter_at", "scatter_nd", "shift",
        "softmax_with_cross_entropy_slope", "step",
    ],
    "of Paddle 3 only": [
        "binomial",
        "gammaincc", "gammaln", "matrix_exp", "nanmedian_min",
        "standard_gamma",
    ],
    "one operator for what is a chain in 2.6.2": ["gcd", "getitem", "orthogonal_random", "reduce_var", "sgn"],
    "writes in place in eager mode; what it leaves in a Program is an assign": ["assign_out_", "fill", "overwrite"],
}  # fmt: skip
"""Operators that 2.6.2 does not have."""
TENSOR: dict[str, list[str]] = {
    "the gradient of another operator, or a part of one, too": [
        "diagonal_at",
        "meeting_along_axis",
        "strided_at",
    ],
    "one operator for a chain, too": ["frexp", "reduce_along_axis"],
    "younger than 2.6.2": ["bitwise_left_shift", "bitwise_right_shift", "copysign", "signbit"],
    "a method of Tensors only": ["as_strided", "fill_diagonal", "view_dtype"],
}
"""Methods of tensors whose operators 2.6.2 does not have."""
OURS |= TENSOR

SLOTS = {
    "gumbel_softmax_hard": "has the soft result, too, whose gradient it has, as documented",
    "histogram": "takes weights, as 3.3.1 does",
    "adamax": "moves its power itself; Paddle appends a scale for that",
    "set_value": "takes arrays in the index; Paddle appends index_put for them",
}
ATTRIBUTES = {
    "unique_consecutive": "gives the runs and their lengths always",
    "linspace": "its bounds are numbers, not tensors",
    "range": "its bounds are numbers, not tensors",
}
KEPT = {
    "batch_norm": "no ReserveSpace; the running statistics are needed with is_test only",
    "einsum": "the operands themselves, not what a pass forward has made of them",
    "gumbel_softmax_hard": "Soft, for Out is 0 and 1",
    "huber_loss": "no by-product Residual",
    "set_value": "the place that was written to says what the value gets",
    "warpctc": "no by-product WarpCTCGrad, so that second derivatives are right",
}
"""The inputs of gradient operators."""

NAMES = {
    "fill_constant_batch_size_like": "recorded as a helper of arithmetic only",
    "mul": "recorded as a part of fc only",
    "share_data": "recorded as detach only",
    "strided_slice": "recorded as an index only",
}
UNGRADED = {"elementwise_mod": "2.6.2 has no gradient for it"}
UNGRADED["label_smooth"] = "2.6.2 stops the gradient of labels in Programs; 3.3.1 has one"
UNGRADED["diag_v2"] = "2.6.2 has no gradient for it"


def no_letters(slot: str) -> str:
    return slot.rstrip("*?")


def needless(exceptions: dict[str, str], differs: Any) -> list[str]:
    """Lines whose operators no longer differ."""
    return [op.type for op in ALL if op.type in exceptions and not differs(op)]


NOT_OF_PADDLE = {type for types in OURS.values() for type in types} | {
    op.type for op in ALL if has("ours", op.type)
}
LISTED = [op for op in ALL if op.type not in NOT_OF_PADDLE]
RECORDED = grouped(
    (op[0], op) for parts in ("calls", "startup", "training") for entry in RECORD[parts].values()
    for part in ("ops", "grads", "startup") for op in entry.get(part, [])
)  # fmt: skip
GRADED = {type.removesuffix("_grad") for type in RECORDED if type.endswith("_grad")}


def test_operators_of_our_own_are_not_in_paddle():
    assert [type for types in OURS.values() for type in types if type in PROTOS] == []


@each(LISTED)
def test_type_is_one_of_paddle(op):
    assert printed(op).type in PROTOS


# -- slots ---------------------------------------------------------------------------------------------------


def strange_slots(op: Operator) -> list[str]:
    proto = PROTOS[printed(op).type]
    outs = [*printed(op).output_slots, *([printed(op).shape_slot] if printed(op).shape_slot else [])]
    ins_known, outs_known = ({no_letters(slot) for slot in proto[side]} for side in ("inputs", "outputs"))
    return [slot for slot in printed(op).input_slots if slot not in ins_known] + [
        slot for slot in outs if slot not in outs_known
    ]


@each([op for op in LISTED if op.type not in SLOTS])
def test_slots_are_those_of_paddle(op):
    assert strange_slots(op) == []


def test_exceptions_of_slots_are_needed():
    assert needless(SLOTS, strange_slots) == []


@each([op for op in LISTED if printed(op).shape_slot])
def test_the_shape_slot_is_no_output_of_the_kernel(op):
    assert not op.multiple
    assert printed(op).shape_slot not in printed(op).output_slots


# -- attributes ----------------------------------------------------------------------------------------------


def strange_attributes(op: Operator) -> list[str]:
    return sorted(set(printed(op).listing.names) ^ set(PROTOS[printed(op).type]["attrs"]))


def written(op: Operator) -> tuple[dict[str, Any], dict[str, Any]]:
    """The attributes of the example, and their printed form."""
    arrays, attrs = example(op)
    full = {**op.defaults, **attrs}
    return full, printed(op).listing.write(
        full, [None if array is None else meta_of(array) for array in arrays]
    )


@each([op for op in LISTED if op.type not in ATTRIBUTES])
def test_attributes_are_those_of_paddle(op):
    assert strange_attributes(op) == []


def test_exceptions_of_attributes_are_needed():
    assert needless(ATTRIBUTES, strange_attributes) == []


@each(ALL)
def test_all_names_are_written(op):
    assert sorted(written(op)[1]) == sorted(printed(op).listing.names)


@each(LISTED)
def test_attributes_are_written_as_plain_values(op):
    assert json.loads(json.dumps(written(op)[1])) == written(op)[1]


@each([op for op in ALL if not op.updates and op.type not in SLOTS])
def test_what_was_written_is_read_back(op):
    arrays, _ = example(op)
    full, listed = written(op)
    read = printed(op).listing.read(listed)
    assert read.keys() == full.keys()
    again = printed(op).listing.write(read, [None if array is None else meta_of(array) for array in arrays])
    assert again == listed
    for one, other in zip(kernel(op, arrays, full), kernel(op, arrays, read), strict=True):
        np.testing.assert_array_equal(one, other)


@each([op for op in LISTED if op.type not in ("assign_value", "mean")])
def test_printed_attributes_lead_back_to_the_operator(op):
    assert listed_operator(printed(op).type, written(op)[1]) is op


def recorded(op: Operator) -> Iterator[list[Any]]:
    """Recorded calls of an operator."""
    return (line for line in RECORDED.get(printed(op).type, ()) if "StartsTensorList" not in line[1])


@each([op for op in LISTED if op.type not in ATTRIBUTES])
def test_reads_what_paddle_printed(op):
    for _, _, _, attrs in recorded(op):
        if listed_operator(printed(op).type, attrs) is not op or refused(op, attrs):
            continue
        again = printed(op).listing.write(printed(op).listing.read(attrs))
        differing = {name for name in again if again[name] != attrs.get(name) and not negligible(name, attrs)}
        assert differing <= FOLLOWING.get(op.type, set()), attrs


FOLLOWING = {
    "cast": {"in_dtype"}, "prelu": {"mode"}, "reduce_mean": {"reduce_all", "dim"}, "reduce_all": {"reduce_all"},
    "set_value": {"dtype", "shape", "values"}, "unique": {"return_index", "return_inverse", "return_counts"},
}  # fmt: skip
"""Attributes that follow from the inputs."""


def refused(op: Operator, attrs: dict[str, Any]) -> bool:
    """Whether Paddle used an attribute that minipaddle expresses in another way."""
    try:
        printed(op).listing.read(attrs)
    except NotImplementedError as error:
        return any(f"Attr({name})" in str(error) for name in REFUSED.get(op.type, ()))
    return False


REFUSED = {
    "conv2d": ["padding_algorithm"], "conv2d_transpose": ["output_padding"], "conv3d_transpose": ["output_padding"],
    "cumsum": ["flatten"],
    "elementwise_add": ["axis"], "gumbel_softmax": ["hard"], "momentum": ["regularization_method"],
    "nll_loss": ["reduction"], "p_norm": ["epsilon"], "reduce_sum": ["in_dtype"],
    "softmax_with_cross_entropy": ["use_softmax"],
}  # fmt: skip


def negligible(name: str, attrs: dict[str, Any]) -> bool:
    """Whether an attribute is expressed in another way or rounded to float32."""
    return name == "str_value" or isinstance(attrs.get(name), float)


# -- names and gradients -------------------------------------------------------------------------------------


def recorded_names(op: Operator) -> set[tuple[str, bool]]:
    """The layers of the outputs, and whether they are bare."""
    names = [name for _, _, outs, _ in recorded(op) for held in outs.values() for name in held]
    layers = {(match[1], False) for name in names if (match := re.fullmatch(r"(.*?)_\d+\.tmp_\d+", name))}
    return layers | {(match[1], True) for name in names if (match := re.fullmatch(r"(\w*?)_\d+", name))}


def strange_name(op: Operator) -> bool:
    return (printed(op).kind, printed(op).bare) not in recorded_names(op)


@each([op for op in LISTED if op.type not in NAMES and any(recorded_names(op))])
def test_outputs_are_named_as_in_paddle(op):
    assert not strange_name(op), recorded_names(op)


def test_exceptions_of_names_are_needed():
    assert needless(NAMES, strange_name) == []


def needs(op: Operator) -> set[str]:
    """Slots that the gradient operator takes: those for the rules; shapes from the shape slot if there is one."""
    found = set(printed(op).grad_keeps)
    for rule in op.rules:
        sources = [(source.kind, source.place) for source in rule.sources if source.kind != "attr"]
        for kind, place in [*sources, *([("shape", rule.input)] if rule.unbroadcast else [])]:
            shape = kind == "shape" and place == 0 and printed(op).shape_slot
            found.add(
                shape or (printed(op).output_slots if kind == "output" else printed(op).input_slots)[place]
            )
    return found


def recorded_needs(op: Operator) -> set[str]:
    lines = RECORDED.get(printed(op).grad_type, ())
    slots = {slot for line in lines for slot in line[1] if not slot.endswith("@GRAD")}
    return {slot for slot in slots if not slot.endswith("TensorList")}


@each([op for op in DIFFERENTIABLE if op in LISTED and printed(op).type in GRADED and op.type not in KEPT])
def test_gradient_operator_takes_what_that_of_paddle_takes(op):
    assert needs(op) == recorded_needs(op)


def test_exceptions_of_what_is_kept_are_needed():
    assert needless(KEPT, lambda op: needs(op) != recorded_needs(op)) == []


@each([op for op in LISTED if op.type not in UNGRADED])
def test_what_has_no_gradient_operator_in_paddle_says_what_it_has_instead(op):
    instead = any(rule.program for rule in op.rules)
    assert instead == (bool(op.rules) and printed(op).type not in GRADED)
