"""Listings with all attributes that matter, and texts of programs without those that do not."""

import re
from typing import Any

import paddle

from tests.support.parity.graphs import block_listing, op_line, plain

HIDDEN = {  # how a kernel of Paddle is chosen or works inside
    "op_callstack", "op_device", "with_quant_attr", "use_mkldnn", "mkldnn_data_type", "use_quantizer", "use_cudnn",
    "place_type", "str_value", "force_cpu", "infer_flags", "numeric_stable_mode", "use_softmax",
    "sorted", "diag_num", "diag_step", "diag_val", "bool_values", "int32_values", "int64_values", "fp32_values",
    "fp64_values", "values", "lazy_mode", "min_row_size_to_use_multithread", "multi_precision", "use_global_beta_pow",
    "rescale_grad",
}  # fmt: skip
USUAL = {  # an operator says these only where they are something else
    "op_role_var": [[]],
    "op_namescope": ["/", ""],
    "in_dtype": [-1],  # of reductions: computed in the dtype of the input
    "out_dtype": [-1],
}
LEFT_OVER = {  # attributes of another operator, or those that say what the input's dtype says
    "concat": ["num", "sections"],
    "fill_any_like": ["dtype"],
}
INTERNAL = re.compile(r"/(optimizer|regularization|gradient_clip)(_\d+)?/")  # scopes that Paddle opens itself


def details(program: Any = None) -> list[dict[str, Any]]:
    """All blocks with links, variables (sorted) and operators with their attributes."""
    return [block_details(block) for block in (program or paddle.static.default_main_program()).blocks]


def block_details(block: Any) -> dict[str, Any]:
    """One block."""
    return {**block_listing(block), "ops": [op_details(op) for op in block.ops]}


def op_details(op: Any) -> str:
    """`type(Slot=[names]) -> Slot=[names] | role, attribute=value, ...`."""
    line = op_line(op).partition(" | ")[0]
    attrs = sorted((name, value) for name, value in op.all_attrs().items() if matters(op.type, name, value))
    shown = [f"{name}={plain(value)}" for name, value in attrs]
    return f"{line} | {' '.join([str(op.attr('op_role')), *shown])}"


def matters(kind: str, name: str, value: Any) -> bool:
    """Whether an attribute says what is computed, or for what."""
    if name == "op_namescope" and INTERNAL.fullmatch(value):
        return False
    hidden = name == "op_role" or name in HIDDEN or name in LEFT_OVER.get(kind, [])
    return not hidden and value not in USUAL.get(name, [])


def steady(text: str) -> str:
    """The text of a program without empty slots and attributes of kernels; floats as float32 carries them."""
    names = "|".join(sorted(HIDDEN))
    text = INTERNAL.sub("/", text)
    text = re.sub(rf"(, )?\b({names}) = (\[[^\]]*\]|[^,)]*)", "", text)
    text = re.sub(r"\w+=\[\](, )?", "", text)
    text = re.sub(r"(, )?\b(in_dtype|out_dtype) = -1", "", text)
    text = text.replace("op_namescope = ,", "op_namescope = /,").replace(", }", "}").replace("}, , ", "}, ")
    return re.sub(r"\d+\.\d{8,}(e-?\d+)?", lambda found: f"{float(found[0]):.7g}", text)
