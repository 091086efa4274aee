"""Record from real Paddle 2.6.2 what Programs consist of into `results/listings_2.6.2.json`.

    python3.11 -m venv /tmp/paddle26 && /tmp/paddle26/bin/pip install paddlepaddle==2.6.2
    OMP_NUM_THREADS=1 /tmp/paddle26/bin/python -m tests.support.parity.record_listings

For each expression of `listing_calls`: the operators that it appends and those of its gradients
(`paddle.static.gradients` of what it returns, by the float placeholders). For each operator type that occurs: its
slots and attributes as Paddle declares them. An operator is `[type, {slot: [names]}, {slot: [names]}, {attribute:
value}]`, without empty slots and without what only says how to compute: attributes of backends, of quantisation and of
the program itself (`IGNORED`).
"""

import json
import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import paddle
from paddle.base.framework import OpProtoHolder

from . import RESULTS
from .listing_calls import calls as all_calls
from .listing_calls import placeholders

RECORD = RESULTS / "listings_2.6.2.json"
IGNORED = re.compile(
    r"use_(mkldnn|cudnn|quantizer|xpu|gpudnn)|mkldnn_data_type|.*(_|^)(mkldnn|onednn|quant)(_.*|$)|workspace_size_MB"
    r"|exhaustive_search|fuse_.*|Scale_.*|is_cpu|force_fp32_output|op_.*|with_quant_attr|use_addto|cudnn_.*|reserve_.*"
    r"|sub_block|force_cpu|place_type|lazy_mode|min_row_size_to_use_multithread|use_global_beta_pow|multi_precision"
)


def main() -> int:
    """Run all calls, write; returns the exit code."""
    paddle.enable_static()
    sections = all_calls()
    calls, startup, training = (
        {call: attempt(function, call) for call in sections[name] + sections[f"different {name}"]}
        for name, function in (("calls", built), ("startup", initialized), ("training", trained))
    )
    types = {op[0] for found in calls.values() for part in ("ops", "grads") for op in found.get(part, [])}
    types |= {op[0] for found in (*startup.values(), *training.values()) for op in found.get("ops", [])}
    known = OpProtoHolder.instance().op_proto_map
    protos = {type: proto(known[type]) for type in sorted(types) if type in known}
    size = write({"calls": calls, "startup": startup, "training": training, "protos": protos})
    failed = [
        call for found in (calls, startup, training) for call, value in found.items() if "error" in value
    ]
    print(f"{len(calls)} calls, {len(protos)} types, {size} bytes; failed: {failed}", file=sys.stderr)
    return 0


def attempt(function: Callable[[str], Any], call: str) -> Any:
    """The record, or the error."""
    try:
        return function(call)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {str(error).strip().splitlines()[0][:120]}"}


def built(call: str) -> dict[str, Any]:
    """What `call` appends, and what its gradients append."""
    main = paddle.static.Program()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(main, paddle.static.Program()):
        space = placeholders(paddle)
        names = {"paddle": paddle, "F": paddle.nn.functional, "np": np}
        found = eval(call, {**names, **space})
        results = leaves(found)
        block = main.global_block()
        record: dict[str, Any] = {"ops": [line(op) for op in block.ops], "out": [v.name for v in results]}
        record["stops"] = [v.stop_gradient for v in results]
        start = len(block.ops)
        targets = [v for v in results if not v.stop_gradient and v.dtype in (paddle.float32, paddle.float64)]
        if targets:
            inputs = [v for v in space.values() if not v.stop_gradient]
            inputs += main.all_parameters()
            try:
                paddle.static.gradients(targets, inputs)
                record["grads"] = [line(op) for op in block.ops[start:]]
            except Exception as error:
                record["no grads"] = f"{type(error).__name__}: {str(error).strip().splitlines()[-1][:120]}"
        return record


def initialized(call: str) -> dict[str, Any]:
    """What an initializer writes into the startup program."""
    startup = paddle.static.Program()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(paddle.static.Program(), startup):
        initializer = eval(call, {"I": paddle.nn.initializer, "np": np})
        shape = [2, 2, 4, 4] if "Bilinear" in call or "Dirac" in call else [2, 3]
        paddle.static.create_parameter(shape, "float32", default_initializer=initializer)
        return {"ops": [line(op) for op in startup.global_block().ops]}


def trained(call: str) -> dict[str, Any]:
    """What `minimize` of a small loss appends to both programs."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(main, startup):
        space = {"O": paddle.optimizer, "R": paddle.regularizer, "C": paddle.nn}
        x = paddle.static.data("x", [2, 3], "float32")
        loss = paddle.mean(paddle.static.nn.fc(x, 1, bias_attr=False))
        eval(call, space).minimize(loss)
        ops = [line(op) for op in main.global_block().ops]
        return {"ops": ops, "startup": [line(op) for op in startup.global_block().ops]}


def leaves(value: Any) -> list[Any]:
    """The Variables in nested lists and tuples."""
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value] if isinstance(value, paddle.static.Variable) else []


def line(op: Any) -> list[Any]:
    """Type, inputs, outputs, attributes."""
    inputs = {slot: op.input(slot) for slot in op.input_names if op.input(slot)}
    outputs = {slot: op.output(slot) for slot in op.output_names if op.output(slot)}
    attrs = {name: plain(op.attr(name)) for name in op.attr_names if not IGNORED.fullmatch(name)}
    return [op.type, inputs, outputs, dict(sorted(attrs.items()))]


def plain(value: Any) -> Any:
    """An attribute as JSON has it; float32 numbers in the shortest form."""
    if isinstance(value, float):
        return float(np.format_float_scientific(np.float32(value)))
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value if isinstance(value, (bool, int, str)) else str(value)


def proto(found: Any) -> dict[str, Any]:
    """Slots (`*` list, `?` optional) and attributes as Paddle declares them."""

    def slot(entry: Any) -> str:
        return entry.name + "*" * entry.duplicable + "?" * entry.dispensable

    return {
        "inputs": [slot(entry) for entry in found.inputs],
        "outputs": [slot(entry) for entry in found.outputs],
        "attrs": [entry.name for entry in found.attrs if not IGNORED.fullmatch(entry.name)],
    }


def compact(value: Any) -> str:
    """JSON on one line."""
    return json.dumps(value, separators=(",", ":"))


def write(record: dict[str, Any]) -> int:
    """Write the file, one entry per line, and return its size."""
    parts = []
    for name, entries in record.items():
        lines = ",\n".join(
            f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in entries.items()
        )
        parts.append(f"{json.dumps(name)}: {{\n{lines}\n}}")
    body = ",\n".join(parts)
    return RECORD.write_text(f'{{"paddle": "{paddle.__version__}",\n{body}\n}}\n')


if __name__ == "__main__":
    sys.exit(main())
