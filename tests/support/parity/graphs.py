"""What case modules of static mode share: placeholders, running, and programs as comparable listings."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import paddle

S = paddle.static

SETS = {  # Paddle fills these slots from Python sets: their order changes from run to run
    "conditional_block": ("Input", "Out"),
    "conditional_block_grad": ("Input", "Out", "Out@GRAD", "Input@GRAD"),
    "while": ("X", "Out"),
    "while_grad": ("X", "Out", "Out@GRAD", "X@GRAD"),
}
SHOWN = ("scale", "bias", "value", "blocks", "sub_block", "backward_block", "op_role_var")


def feed(name: str, *shape: int, dtype: str = "float32", stop: bool = False) -> Any:
    """A placeholder; gradients flow to it unless `stop`."""
    variable = S.data(name, list(shape), dtype)
    variable.stop_gradient = stop
    return variable


def weight(*shape: int, name: str = "w", value: float = 2.0) -> Any:
    """A float32 parameter filled with `value`."""
    constant = paddle.nn.initializer.Constant(value)
    return S.create_parameter(list(shape), "float32", name=name, default_initializer=constant)


def declared(name: str, *shape: int, dtype: str = "float32") -> Any:
    """A variable of the current block that nothing writes yet: `out` of a py_func."""
    return S.default_main_program().current_block().create_var(name=name, shape=list(shape), dtype=dtype)


def run(fetch: Any = None, feed: Any = None, program: Any = None, **options: Any) -> list[Any]:
    """Run the startup program, then `program` (default: the main one) and return what is fetched."""
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return exe.run(program, feed=feed, fetch_list=fetch, **options)


def ones(*shape: int) -> np.ndarray:
    """float32 ones."""
    return np.ones(shape, "float32")


def names(values: Iterable[Any]) -> list[Any]:
    """The names of Variables; None and names stay."""
    return [getattr(value, "name", value) for value in values]


def pairs(found: Iterable[Any]) -> list[list[str]]:
    """Names of (parameter, gradient) pairs."""
    return [names(pair) for pair in found]


def types(block: Any = None) -> list[str]:
    """The operator types of a block, the global one of the main program by default."""
    return [op.type for op in (block or S.default_main_program().global_block()).ops]


def listing(program: Any = None) -> list[dict[str, Any]]:
    """All blocks: links, variables (sorted: gradients have no order of their own) and operators in order."""
    return [block_listing(block) for block in (program or S.default_main_program()).blocks]


def calls(program: Any = None) -> list[dict[str, Any]]:
    """The listing without variables: where the gradient of a loop variable lives, in its block or around, is open."""
    return [{key: held for key, held in block.items() if key != "vars"} for block in listing(program)]


def block_listing(block: Any) -> dict[str, Any]:
    """One block; the placeholder `@EMPTY@` is not a variable to speak of."""
    links = [block.idx, block.parent_idx, block.forward_block_idx, block.backward_block_idx]
    lines = sorted(var_line(v) for v in block.vars.values() if v.name != "@EMPTY@")
    return {"idx parent forward backward": links, "vars": lines, "ops": [op_line(op) for op in block.ops]}


def var_line(variable: Any) -> str:
    """Name, what it is, whether it persists and whether gradients stop; that only where gradients could flow."""
    persists = " persist" * bool(variable.persistable)
    if "STEP_SCOPES" in str(variable.type):
        return f"{variable.name} STEP_SCOPES{persists}"
    dtype = str(variable.dtype).rpartition(".")[2]
    stops = " stop" * (bool(variable.stop_gradient) and dtype.startswith("float"))
    return f"{variable.name} {tuple(variable.shape)} {dtype}{persists}{stops}"


def op_line(op: Any) -> str:
    """`type(Slot=[names]) -> Slot=[names] | role, attributes`; empty input slots are left out."""
    inputs = [
        f"{slot}={slot_names(op, slot, op.input(slot))}" for slot in sorted(op.input_names) if op.input(slot)
    ]
    outputs = [f"{slot}={slot_names(op, slot, op.output(slot))}" for slot in sorted(op.output_names)]
    return f"{op.type}({', '.join(inputs)}) -> {', '.join(outputs)} | {op.attr('op_role')}{attributes(op)}"


def slot_names(op: Any, slot: str, held: list[str]) -> str:
    """The variables of a slot, sorted where Paddle has no order."""
    return f"[{', '.join(sorted(held) if slot in SETS.get(op.type, ()) else held)}]"


def attributes(op: Any) -> str:
    """The attributes that say what the operator does; blocks by their number."""
    held = op.all_attrs()
    shown = {name: plain(held[name]) for name in SHOWN if name in held and held[name] not in ([], None)}
    if op.type in SETS and "op_role_var" in shown:  # pairs in the order of such a slot
        names = shown["op_role_var"]
        shown["op_role_var"] = sorted(map(list, zip(names[::2], names[1::2], strict=True)))
    return "".join(f" {name}={value}" for name, value in shown.items())


def plain(value: Any) -> Any:
    """A block as its index, a list of blocks as their indices, numbers rounded as float32 carries them."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return float(f"{value:.7g}")
    return value.idx if hasattr(value, "idx") else value


def program_with_callables() -> dict[str, Any]:
    """The listing, and of each py_func whether it has a forward and a backward function, and what it skips.

    The numbers themselves count all py_funcs of the process.
    """
    held = [op for op in S.default_main_program().global_block().ops if op.type == "py_func"]
    ids = ("forward_callable_id", "backward_callable_id")
    found = [[*(op.attr(name) >= 0 for name in ids), sorted(op.attr("backward_skip_vars"))] for op in held]
    return {"program": listing(), "callables": found}


def skeleton(result: Any) -> Any:
    """The structure of a result, with the names of its Variables."""
    if isinstance(result, dict):
        return {key: skeleton(item) for key, item in result.items()}
    if isinstance(result, (list, tuple)):
        return [type(result).__name__, *map(skeleton, result)]
    return getattr(result, "name", result)
