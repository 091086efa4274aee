"""Programs for inference: the Operators that the fetches need, with their parameters, in two files."""

from __future__ import annotations

import io as memory
import os
from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.paddle.framework import io
from minipaddle.paddle.framework.whole_file import write_whole
from minipaddle.paddle.static.build import static_only
from minipaddle.paddle.static.files.encode import Damaged
from minipaddle.paddle.static.files.serialize import program_from_text, text_of_program
from minipaddle.paddle.static.files.state import persistable_in, prefix_of, set_program_state, stored_arrays
from minipaddle.paddle.static.program import Program, Role, Variable, default_main_program
from minipaddle.paddle.static.program.clone import copied_for_test, needed_for, with_inner_blocks


def _needed(program: Program, feeds: list[Variable], fetches: list[Variable]) -> Program:
    """Return a copy with only the Operators that `fetches` need, given `feeds`; ``is_test`` is set if it exists."""
    block = program.global_block()
    kept = with_inner_blocks(block, needed_for(fetches, [op for op in block.ops if not op.trains], feeds))
    ops = [op for found in kept.values() for op in found]
    slots = [
        slot for op in ops for slot in (*op.inputs.values(), *op.outputs.values(), op.reads(), op.writes())
    ]
    used = {*feeds, *fetches, *(one for slot in slots for one in slot)}
    copy = copied_for_test(program, kept, {one for one in program.list_vars() if one not in used})
    for op in (op for block in copy.blocks for op in block.ops):
        op.role, op.role_var = int(Role.FORWARD), []
    return copy


def _same_in(program: Program, values: Any, argument: str) -> list[Variable]:
    """Return the Variables of `program` with the names of `values`, which may belong to a copy."""
    found = values if isinstance(values, (list, tuple)) else [values]
    for one in found:
        if not isinstance(one, Variable):
            raise invalid(
                f"'{argument}' should be a single variable or a list of variables, but received {type(one).__name__}.",
                "give what paddle.static.data and the layers returned",
            )
    return [program.global_block().var(one.name) for one in found]


# -- files --------------------------------------------------------------------------------------------------------


def save_inference_model(
    path_prefix: Any, feed_vars: Any, fetch_vars: Any, executor: Any = None, **options: Any
) -> None:
    """Save the needs of `fetch_vars`: the Program as ``.pdmodel``, its parameters as ``.pdiparams``.

    The Program is JSON (docs/programs.md), the parameters are a ``.pdparams`` file with another suffix: real Paddle
    reads neither.

    Args:
        path_prefix: prefix of the file names; directories are made.
        options: ``program``: by default the main one, which is not changed.

    Raises:
        TypeError: **program** is no Program.
        ValueError: **feed_vars** or **fetch_vars** is no Variable or list of them; a Program with **py_func**; a
            parameter has no value yet.
    """
    static_only("save_inference_model")
    prefix = prefix_of(path_prefix)
    program = options.get("program")
    program = default_main_program() if program is None else getattr(program, "_program", program)
    if not isinstance(program, Program):
        raise TypeError(f"program type must be `paddle.static.Program`, but received `{type(program)}`")
    feeds, fetches = _same_in(program, feed_vars, "feed_vars"), _same_in(program, fetch_vars, "fetch_vars")
    needed = _needed(program, feeds, fetches)
    text = text_of_program(needed, feeds=[one.name for one in feeds], fetches=[one.name for one in fetches])
    values = stored_arrays(persistable_in(needed))
    write_whole(prefix + ".pdmodel", text.encode())
    io.save(values, prefix + ".pdiparams")


def load_inference_model(path_prefix: Any, executor: Any = None, **options: Any) -> list[Any]:
    """Load what :func:`save_inference_model` saved; the parameters go to the global Scope.

    Returns:
        [Program, names to feed, Variables to fetch].

    Raises:
        AssertionError: in dynamic mode (**enable_static**).
        ValueError: if there is no such file, or it is damaged, or from real Paddle.
    """
    static_only("load_inference_model")
    prefix = prefix_of(path_prefix)
    path = prefix + ".pdmodel"
    program, _, (feeds, fetches) = parsed(content_of(path), path, feeds=[], fetches=[])
    found = io.load(memory.BytesIO(content_of(prefix + ".pdiparams")), return_numpy=True)
    set_program_state(program, found if isinstance(found, dict) else {})
    return [program, [one.name for one in feeds], fetches]


@io.program_from.filled
def _from_bytes(data: bytes) -> Program:
    """Return the Program with the text `data`."""
    return parsed(data, "<bytes>", feeds=[], fetches=[])[0]


def parsed(
    data: bytes, where: str, **missing: list[str]
) -> tuple[Program, dict[str, str], list[list[Variable]]]:
    """Return a Program, the names of parameters in a Layer, and the Variables to feed and to fetch.

    Names that the file lacks are filled with `missing`.

    Raises:
        ValueError: naming the file.
    """
    try:
        program, notes = program_from_text(data)
        notes = {**missing, **notes}
        known = program.global_block().vars
        ends = [[known[name] for name in notes[key]] for key in ("feeds", "fetches")]
        names = {str(one): str(other) for one, other in dict(notes.get("structured_names", {})).items()}
    except (Damaged, LookupError, TypeError) as error:
        raise ValueError(f"The program in {where} cannot be read: {error}.") from None
    return program, names, ends


def content_of(path: Any) -> bytes:
    """Return the content of a file.

    Raises:
        ValueError: if there is none.
    """
    if not os.path.isfile(path):
        raise ValueError(f"There is no file {os.fspath(path)!r}: was it saved with save_inference_model?")
    with open(path, "rb") as file:
        return file.read()
