"""The rules of docs/decisions/0002: imports go down, libraries keep their rooms, the engine knows no tool."""

import ast
import json
import sys

import pytest

from tests.support.imports import (
    FRONT,
    PACKAGE,
    ROOT,
    circles,
    identifiers,
    imported_room,
    imports_of,
    is_module,
    room_in,
    room_of,
    sources,
)

FLOORS = (  # from the cellar up; a package of Paddle's that is not named here is a library like nn
    {"engine.names"},
    {
        "engine",
        "engine.value",
        "engine.operator",
        "engine.tape",
        "engine.mode",
        "engine.watch",
        "engine.fast",
    },
    {"ops"},
    {"engine.walk", "engine.tensor", "engine.custom"},
    {"paddle.autograd"},
    {"paddle.nn"},
    {"paddle.regularizer", "paddle.framework"},
    {"paddle.optimizer"},
    {"paddle.io", "paddle.metric", "paddle.amp", "paddle.device", "paddle.distribution"},
    {"paddle.vision"},
    {"paddle.static"},
    {"paddle.jit"},
    {"paddle.base", "paddle.hapi"},
    {"paddle.distributed"},
    {"paddle", "paddle.utils"},
    {"tools.record", "tools.words"},
    {"tools.picture", "tools.explain"},
    {"tools.checks"},
    {"tools.page"},
    {"tools.debug"},
    {"tools.run"},
    {"tools.course"},
    {"tools.cli"},
)
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
LIBRARY = FLOOR["paddle.nn"]
INSIDE = {  # the floors of a room, from the cellar up; a part that is not named here may import from the whole room
    "ops": (
        {"definition"},
        {"creation", "random", "views"},
        {"reduction", "logic"},
        {"indexing", "nn"},
        {"manipulation", "search"},
        {"math"},
        {"activation", "linalg", "loss", "stat", "optimizer_steps"},
    ),
    "paddle.static": (
        {"scope"},
        {"program"},
        {"build", "executor"},
        {"gradient"},
        {"control_flow"},
        {"custom"},
        {"files", "nn"},
    ),
    "tools.record": (
        {"stats"},
        {"events"},
        {"memory", "replay", "codec", "user_code"},
        {"builder"},
        {"sources"},
        {"file"},
    ),
    "tools.picture": ({"model"}, {"draw", "terminal"}, {"options"}, {"picture"}, {"api"}),
}

EVERYWHERE = {"numpy", "scipy"} | sys.stdlib_module_names
EXTRA = {
    "tools.words": {"rich"},
    "paddle.vision": {"PIL"},
    "tools.picture": {"graphviz", "rich"},
    "tools.debug": {"rich", "textual"},
    "tools.cli": {"rich", "typer", "IPython"},
}

KNOW_NO_TOOL = {room for room in FLOOR if room.startswith("engine")}
KNOW_NO_TOOL |= {"ops", "paddle.autograd", "paddle.nn", "paddle.optimizer"}
TOOL_WORDS = {
    *(
        "picture",
        "debug",
        "debugger",
        "debugging",
        "recorder",
        "tracer",
        "tracing",
        "profiler",
        "breakpoint",
        "print",
    ),
    *("watcher", "watchers", "watching", "watched", "observer", "observers"),
}
DOORS_FOR_TOOLS = set((PACKAGE / "engine" / "watch").glob("*.py"))
DOOR = "minipaddle.engine.watch."


def floor_of(room: str) -> int:
    return FLOOR.get(room, LIBRARY)


def part_of(name: str) -> tuple[str, str] | None:
    """Return the room and the part of it that a dotted name reaches into, if the room has floors."""
    head, *rest = name.split(".")
    room = room_in(rest) if head == "minipaddle" and rest else None
    if room not in INSIDE:
        return None
    return room, [*rest[room.count(".") + 1 :], ""][0]


def floor_inside(room: str, part: str) -> int | None:
    return next((floor for floor, parts in enumerate(INSIDE[room]) if part in parts), None)


def test_every_floor_is_a_part_of_the_house_and_every_room_of_ours_has_its_floor():
    parts = [f"{room}.{part}" for room, floors in INSIDE.items() for part in set().union(*floors)]
    assert [name for name in [*FLOOR, *parts] if not is_module(PACKAGE / name.replace(".", "/"))] == []
    rooms = set(map(room_of, sources()))
    assert {room for room in rooms if room.startswith(("engine", "ops", "tools."))} <= FLOOR.keys()


def test_imports_go_downwards_only():
    upwards = [
        f"{found.where} imports {found.name}"
        for path in sources()
        for found in imports_of(path)
        if (room := imported_room(found.name)) is not None
        and room_of(path) != FRONT
        and floor_of(room) > floor_of(room_of(path))
    ]
    assert upwards == []


UPWARD_INSIDE = {  # what is still to be turned round: (importing part, imported part)
    ("tools.record.user_code", "tools.record.sources")
}


def test_imports_go_downwards_inside_a_room():
    upwards = set()
    for path in sources(set(INSIDE)):
        own = part_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        here = floor_inside(*own)
        for found in imports_of(path):
            other = part_of(found.name)
            if other is None or other[0] != own[0] or here is None:
                continue
            there = floor_inside(*other)
            if there is not None and there > here:
                upwards.add((".".join(own), ".".join(other)))
    assert upwards == UPWARD_INSIDE


CIRCLES = (  # groups of files that import each other, for they are one idea in several files; none may come
    """engine.operator.operator engine.operator.rule engine.operator.plan engine.operator.table engine.operator.public
    engine.operator.custom engine.mode.mode engine.mode.eager engine.mode.in_place
    engine.tape.node
    engine.watch.observer""",  # a call: the operator asks the mode, the mode makes the node, the node runs the rules
    """engine.tensor.tensor engine.tensor.methods engine.walk.backward engine.walk.refused
    engine.walk.hooks""",  # a Tensor: its methods begin a walk, which ends in Tensors
    """paddle.nn.layer.layers paddle.nn.layer.tree paddle.nn.layer.state_dict""",  # a Layer, and what is below it
    """paddle.static.program.program paddle.static.program.block paddle.static.program.operator
    paddle.static.program.variable paddle.static.program.clone""",  # a Program has Blocks, these Operators, Variables
)


def test_files_of_a_room_import_each_other_only_where_they_are_one_idea():
    assert sorted(map(sorted, circles())) == sorted(sorted(group.split()) for group in CIRCLES)


def test_no_room_is_imported_by_a_string():
    """A name in a string hides an import from the tests above; engine/extension_point has points instead."""
    named = {
        f"{path.relative_to(ROOT)}: {node.args[0].value}"
        for path in sources()
        if room_of(path) != FRONT and "import_" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", "")) in ("import_module", "__import__")
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and str(node.args[0].value).startswith("minipaddle")
    }
    assert named == set()


def test_only_tools_look_at_the_house_from_outside():
    inside_out = [
        f"{found.where} imports {found.name}"
        for path in sources()
        for found in imports_of(path)
        if imported_room(found.name) == FRONT
        and found.name != "minipaddle.__version__"
        and floor_of(room_of(path)) <= FLOOR["paddle"]
        and room_of(path) != FRONT
    ]
    assert inside_out == []


def test_every_library_has_its_room():
    strangers = [
        f"{found.where} imports {found.name}"
        for path in sources()
        for found in imports_of(path)
        if imported_room(found.name) is None
        and found.name.split(".")[0] not in EVERYWHERE | EXTRA.get(room_of(path), set())
    ]
    assert strangers == []


def test_scipy_is_imported_only_where_a_special_function_is_needed():
    at_the_top = [
        found.where
        for path in sources()
        for found in imports_of(path)
        if found.top and found.name.startswith("scipy")
    ]
    assert at_the_top == []


def test_the_engine_mentions_no_tool():
    mentions = [
        f"{path.relative_to(ROOT)}:{line} says {name}"
        for path in sources(KNOW_NO_TOOL)
        if path not in DOORS_FOR_TOOLS
        for name, line in identifiers(ast.parse(path.read_text(encoding="utf-8")))
        if TOOL_WORDS & set(name.lower().replace(".", "_").split("_")) and not name.startswith(DOOR)
    ]
    assert mentions == []


REPORT = """
import atexit, json, sys
atexit.register(lambda: sys.stderr.write("\\n" + json.dumps(sorted(sys.modules))))
"""


def modules_after(run_python, code: str, *arguments: str) -> set[str]:
    """Run `python -c code arguments` and return the top-level modules that are loaded when it ends."""
    done = run_python("-c", REPORT + code, *arguments)
    assert done.returncode == 0, done.stderr.splitlines()[-3:]
    return {name.split(".")[0] for name in json.loads(done.stderr.splitlines()[-1])}


@pytest.mark.parametrize("unwanted", ["rich", "typer", "graphviz", "scipy", "pydantic"])
def test_import_minipaddle_loads_numpy_and_nothing_else(run_python, unwanted):
    loaded = modules_after(run_python, "import minipaddle; minipaddle.paddle.to_tensor")
    assert "numpy" in loaded
    assert unwanted not in loaded


FIRST = """
import importlib, sys
for room in sys.argv[1:]:
    for name in [name for name in sys.modules if name.partition(".")[0] == "minipaddle"]:
        del sys.modules[name]
    try:
        importlib.import_module(f"minipaddle.{room}")
    except ImportError as error:
        print(room, error)
"""


def test_any_room_may_be_the_first_that_is_imported(run_python):
    fronts = [*PACKAGE.glob("*/__init__.py"), *PACKAGE.glob("*/*/__init__.py")]
    rooms = sorted(".".join(path.parent.relative_to(PACKAGE).parts) for path in fronts)
    done = run_python("-c", FIRST, *rooms)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_help_does_not_wait_for_numpy(run_python):
    loaded = modules_after(run_python, "from minipaddle.tools.cli import main; main()", "--help")
    assert "typer" in loaded
    assert "numpy" not in loaded
