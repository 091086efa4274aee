"""Programs as text: readable JSON, which is not executed when it is read (docs/programs.md).

An Operator is written as its class, its slots, its attributes and the parts that its class names. Variables are written
once and referred to by name, with a number after it if several Blocks have that name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from minipaddle.engine.value.dtype import as_numpy
from minipaddle.engine.value.meta import Meta
from minipaddle.ops.definition.program_printing import printed
from minipaddle.ops.definition.var_type import VarType
from minipaddle.paddle.framework.io import text_of
from minipaddle.paddle.static.files.encode import Damaged, decoded, encoded
from minipaddle.paddle.static.gradient.grad_operator import GradOperator
from minipaddle.paddle.static.program import Block, Operator, Parameter, Program, TableOperator, Variable
from minipaddle.paddle.static.program.operator import TOLD_PARTS, GradientPlace

VERSION = 1  # of the format: a reader refuses a newer one
_FORMAT = "minipaddle program"


# -- writing ------------------------------------------------------------------------------------------------------


@text_of.filled
def text_of_program(program: Program, **notes: Any) -> str:
    """Return `program` as text, with `notes` stored in it.

    Raises:
        ValueError: for a Program with user functions: **py_func**.
    """
    for op in _operators(program):
        op.refuse_file()
    names = _Names()
    blocks = [_block_data(block, names) for block in program.blocks]
    data = {
        "format": _FORMAT,
        "version": VERSION,
        **notes,
        "random_seed": program.random_seed,
        "variables": {name: _variable_data(one, names.given) for one, name in names.given.items()},
        "blocks": blocks,
    }
    return json.dumps(data, indent=1, allow_nan=False)


class _Names:
    """Unique names of Variables, in the order of their first use."""

    def __init__(self) -> None:
        self.given: dict[Variable, str] = {}
        self.taken: set[str] = set()

    def of(self, variable: Variable) -> str:
        """Return the unique name of `variable`."""
        if variable not in self.given:
            name, number = variable.name, 1
            while name in self.taken:
                number += 1
                name = f"{variable.name} #{number}"
            self.taken.add(name)
            self.given[variable] = name
        return self.given[variable]


def _operators(program: Program) -> Iterator[Operator]:
    for block in program.blocks:
        yield from block.ops


def _block_data(block: Block, names: _Names) -> dict[str, Any]:
    return {
        "parent": block.parent_idx,
        "forward": block.forward_block_idx,
        "backward": block.backward_block_idx,
        "variables": [names.of(variable) for variable in block.vars.values()],
        "operators": [_operator_data(op, names) for op in block.ops],
    }


def _variable_data(variable: Variable, names: Mapping[Variable, str]) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": variable.name,
        "block": variable.block.idx,
        "shape": list(variable.shape),
        "dtype": variable.meta.dtype.name,
        "stop_gradient": variable.stop_gradient,
    }
    data |= {name: True for name in ("persistable", "is_data") if getattr(variable, name)}
    if variable.type is not VarType.LOD_TENSOR:
        data["type"] = variable.type.name
    if variable.gradient_of is not None and variable.gradient_of in names:
        data["gradient_of"] = names[variable.gradient_of]
    if isinstance(variable, Parameter):
        rate = float(variable.optimize_attr["learning_rate"])
        data["parameter"] = {"learning_rate": rate, "need_clip": bool(variable.need_clip)}
    return data


def _operator_data(op: Operator, names: _Names) -> dict[str, Any]:
    def slots(found: dict[str, list[Any]]) -> dict[str, Any]:
        return {
            slot: [None if one is None else names.of(one) for one in variables]
            for slot, variables in found.items()
        }

    data: dict[str, Any] = {
        "class": type(op).__name__,
        "type": op.type,
        "inputs": slots(op.inputs),
        "outputs": slots(op.outputs),
        "attrs": {name: encoded(value, names.of) for name, value in op.attrs.items()},
        "parts": {name: encoded(getattr(op, name), names.of) for name in op.parts},
        "role": op.role,
        "role_var": op.role_var,
        "namescope": op.namescope,
        "printed": {name: encoded(value, names.of) for name, value in op.printed.items()},
    }
    if op.origin is not None and op.origin in op.origin.block.ops:
        data["origin"] = [op.origin.block.idx, op.origin.idx]
    if op.pass_number:
        data["pass"] = op.pass_number
        data["told"] = {name: encoded(_note(op, name), names.of) for name in TOLD_PARTS if getattr(op, name)}
    return data


def _note(op: Operator, name: str) -> Any:
    """Return one of :data:`TOLD_PARTS`, with the position of an Operator instead of the Operator."""
    value = getattr(op, name)
    if name not in ("seeds", "sums"):
        return value
    maker, variable = value
    stands = maker is not None and maker in maker.block.ops
    return [[maker.block.idx, maker.idx] if stands else None, variable]


# -- reading ------------------------------------------------------------------------------------------------------


def program_from_text(text: str | bytes) -> tuple[Program, dict[str, Any]]:
    """Return the Program that :func:`text_of_program` wrote, and the whole data.

    Raises:
        Damaged: naming the fault: a program of real Paddle, a newer version, or a damaged file.
    """
    if not text[:1] or text[:1] not in ("{", b"{"):
        raise Damaged(
            "it is no program of minipaddle. Programs of real Paddle (protobuf) cannot be read; build the program "
            "again and load the parameters, whose files are the same"
        )
    try:
        data = json.loads(text)
        if data.get("format") != _FORMAT:
            raise Damaged("it is JSON, but no program of minipaddle")
        if data.get("version") != VERSION:
            raise Damaged(f"its version is {data.get('version')!r}, this minipaddle reads version {VERSION}")
        program = _Reader(data).program
        _check(program)
        return program, data
    except Damaged:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, MemoryError) as error:
        reason = (
            "it is nested too deeply" if isinstance(error, RecursionError) else f"it is damaged ({error})"
        )
        raise Damaged(reason) from None


class _Reader:
    """Builds a Program from untrusted data."""

    def __init__(self, data: dict[str, Any]) -> None:
        program = self.program = Program()
        count = len(data["blocks"])
        program.blocks = [Block(program, index) for index in range(count)]
        self.variables = {name: self._variable(given) for name, given in data["variables"].items()}
        for name, given in data["variables"].items():
            one = self.variables[name]
            one.gradient_of = self.variables[given["gradient_of"]] if "gradient_of" in given else None
        for block, given in zip(program.blocks, data["blocks"], strict=True):
            block.parent_idx, block.forward_block_idx, block.backward_block_idx = (
                self._index(given[link], count) for link in ("parent", "forward", "backward")
            )
            if (block.parent_idx >= block.idx) or (block.idx > 0 > block.parent_idx):
                raise Damaged(f"block {block.idx} lies in block {block.parent_idx}")
            for name in given["variables"]:
                block.add(self.variables[name])
        for block, given in zip(program.blocks, data["blocks"], strict=True):
            block.ops = [self._operator(block, one) for one in given["operators"]]
        for block, given in zip(program.blocks, data["blocks"], strict=True):
            for op, one in zip(block.ops, given["operators"], strict=True):
                if "origin" in one:
                    place, index = one["origin"]
                    op.origin = self._block(place).ops[index]
                if "pass" in one:
                    self._tell(op, one["pass"], one["told"])
        program.random_seed = data["random_seed"]
        program.changed()

    @staticmethod
    def _index(value: Any, count: int) -> int:
        if type(value) is not int or not -1 <= value < count:
            raise Damaged(f"there is no block {value!r}")
        return value

    def _block(self, index: int) -> Block:
        return self.program.blocks[self._index(index, len(self.program.blocks))]

    def _variable(self, data: dict[str, Any]) -> Variable:
        block, name, kind = self._block(data["block"]), data["name"], data.get("type", "LOD_TENSOR")
        shape = tuple(data["shape"])
        sizes = all(type(size) is int for size in shape)
        if not sizes or not isinstance(name, str) or kind not in VarType.__members__:
            raise Damaged(f"{name!r} is no variable")
        meta = Meta(shape, as_numpy(data["dtype"]))
        stops = bool(data["stop_gradient"])
        if "parameter" in data:
            trained = data["parameter"]
            rate, clips = float(trained["learning_rate"]), bool(trained["need_clip"])
            return Parameter(block, name, meta, not stops, rate, None, clips)
        persists, is_data = bool(data.get("persistable")), bool(data.get("is_data"))
        return Variable(block, name, meta, persists, stops, is_data, VarType[kind])

    def _operator(self, block: Block, data: dict[str, Any]) -> Operator:
        kind = Operator.kinds[data["class"]]
        op: Any = object.__new__(kind)
        ins, outs = self._slots(data["inputs"]), self._slots(data["outputs"])
        Operator.__init__(op, block, str(data["type"]), ins, outs, {})
        op.attrs, op.printed = self._decoded(data["attrs"]), self._decoded(data["printed"])
        parts = self._decoded(data["parts"])
        if set(parts) != set(kind.parts):
            raise Damaged(f"{op.type} has other parts than {', '.join(kind.parts)}")
        op.__dict__.update(parts)
        if not all(isinstance(one, Block) for one in (*op.blocks(), *getattr(op, "grad_bodies", ()))):
            raise Damaged(f"{op.type} runs what is no block")
        op.role, op.namescope = int(data["role"]), str(data["namescope"])
        op.role_var = [str(name) for name in data["role_var"]]
        made: Operator = op
        return made

    def _tell(self, op: Operator, number: Any, told: Any) -> None:
        """Restore an Operator's notes on its gradients."""
        op.pass_number = int(number)
        self.program.backward_calls = max(self.program.backward_calls, op.pass_number)
        given = self._decoded(told)
        op.seeds, op.sums = (self._place(given.pop(name, None)) for name in ("seeds", "sums"))
        op.gradient_pairs = [
            (int(place), _sure(one), _sure(grad)) for place, one, grad in given.pop("gradient_pairs", ())
        ]
        op.gradients_in = [None if one is None else _sure(one) for one in given.pop("gradients_in", ())]
        if given:
            raise Damaged(f"{op.type} cannot have {', '.join(given)}")

    def _place(self, given: Any) -> GradientPlace | None:
        if given is None:
            return None
        maker, variable = given
        return None if maker is None else self._block(maker[0]).ops[maker[1]], _sure(variable)

    def _slots(self, given: dict[str, list[Any]]) -> dict[str, list[Any]]:
        return {
            str(slot): [None if one is None else self.variables[one] for one in names]
            for slot, names in given.items()
        }

    def _decoded(self, values: dict[str, Any]) -> dict[str, Any]:
        find = self.variables.__getitem__
        return {str(name): decoded(value, find, self._block) for name, value in values.items()}


def _sure(variable: Any) -> Variable:
    if not isinstance(variable, Variable):
        raise Damaged(f"{variable!r} is no variable")
    return variable


def _check(program: Program) -> None:
    """Check every Operator once, in the ways that running, printing and differentiating use it."""
    for op in _operators(program):
        if isinstance(op, TableOperator | GradOperator):
            definition = op.definition
            expected = (
                printed(definition).type if isinstance(op, TableOperator) else printed(definition).grad_type
            )
            if op.type != expected or op.attrs.keys() != definition.defaults.keys():
                raise Damaged(f"{op.type} is no call of {definition.type}")
    _check_nesting(program)
    for op in _operators(program):
        op.renew()
    for op in _operators(program):
        _check_inputs(op)
        op.all_attrs()
        for variable in (*op.reads(), *op.writes()):
            if variable is not None and not isinstance(variable, Variable):
                raise Damaged(f"{op.type} reads or writes {variable!r}")
    for block in reversed(program.blocks):
        for op in block.ops:
            for variable in op.writes():
                variable.op = op


def _check_inputs(op: Operator) -> None:
    """Raise for a call without one of its inputs."""
    needed = op.full_slots
    if isinstance(op, TableOperator):
        known = op.definition
        slots = zip(printed(known).input_slots, known.input_names, strict=True)
        needed = tuple(slot for slot, name in slots if name not in known.optional)
    for slot in needed:
        given = op.inputs.get(slot, [])
        if not given or any(one is None for one in given):
            raise Damaged(f"{op.type} has no {slot}")


def _check_nesting(program: Program) -> None:
    """Raise for Blocks that run themselves."""
    done: set[Block] = set()

    def visit(block: Block, around: tuple[Block, ...]) -> None:
        if block in around:
            raise Damaged(f"block {block.idx} runs itself")
        if block not in done:
            for op in block.ops:
                for inner in op.blocks():
                    visit(inner, (*around, block))
            done.add(block)

    for block in program.blocks:
        visit(block, ())
