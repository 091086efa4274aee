"""Names that few scripts need are loaded on first use: by name, as a method, by an operator's type."""

import enum
import importlib
import json
import subprocess
import sys
from types import ModuleType

import pytest

import minipaddle
from minipaddle.engine.errors import guard_all
from minipaddle.engine.operator.lazy_loading import front
from minipaddle.engine.operator.operator import TABLE, Operator
from minipaddle.engine.operator.table import Table
from minipaddle.ops.families import FAMILIES
from tests.support.operators import ALL

HOMES = [family.home for family in FAMILIES if family.file != "methods"]
"""The files that wait; the methods' file is loaded at once, and has them as functions, too."""
_OF_STATIC_LAYERS = """
    linalg.mul loss.cross_entropy loss.elementwise loss.nll nn.conv nn.dropout nn.embedding"""
OF_STATIC_LAYERS = {f"minipaddle.ops.{file}" for file in _OF_STATIC_LAYERS.split()}
"""The files needed by the layers of ``static.nn``, which Programs load."""


def asked_for(line):
    """Return the families that are loaded in a fresh process after this line of Python."""
    script = (
        f"import json, sys, numpy as np; from minipaddle import paddle\n{line}\n"
        f"print(json.dumps([name for name in {HOMES} if name in sys.modules]))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return json.loads(run.stdout.splitlines()[-1])


def test_a_recording_finds_every_operator_before_anything_of_paddle_is_loaded():
    script = (
        "import json, sys; from minipaddle.tools.record.file import TABLE\n"
        "print(json.dumps([op for op in json.load(sys.stdin) if op not in TABLE]))"
    )
    ours = [op for op in ALL if op.__module__.startswith("minipaddle.")]
    command = [sys.executable, "-c", script]
    names = json.dumps([op.type for op in ours])
    run = subprocess.run(command, input=names, capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == []


def test_what_a_user_puts_into_paddle_stays_when_another_name_is_loaded(monkeypatch):
    monkeypatch.setattr(minipaddle.paddle, "grad", "mine")
    monkeypatch.delitem(vars(minipaddle.paddle), "vision", raising=False)
    assert minipaddle.paddle.vision.__name__ == "minipaddle.paddle.vision"
    assert minipaddle.paddle.grad == "mine"


def test_dir_lists_what_a_module_has_loaded_or_not_and_nothing_of_ours():
    paddle = minipaddle.paddle
    for module in (paddle, paddle.vision, paddle.optimizer, paddle.nn, paddle.nn.functional, paddle.static):
        shown = {name for name in dir(module) if not name.startswith("__")}
        assert set(module.__all__) <= shown
        assert not shown & {"front", "Any", "annotations", "_ROOMS"}
        assert [name for name in shown if not name.isidentifier() or not hasattr(module, name)] == []


@pytest.mark.sweep
@pytest.mark.parametrize(
    "line",
    [
        "x = paddle.to_tensor([1.0, 2.0], stop_gradient=False); (x * x).sum().backward(); repr(x); dir(x)",
        "paddle.enable_static(); paddle.static.data('x', [2]) + 1",
        "dir(paddle)",
    ],
)
def test_nobody_waits_for_what_is_not_asked_for(line):
    assert set(asked_for(line)) <= (OF_STATIC_LAYERS if "static" in line else set())


@pytest.mark.sweep
@pytest.mark.parametrize(
    "line",
    [
        "paddle.inverse",
        "paddle.Tensor.inverse",
        "from minipaddle.paddle import inverse",
        "paddle.to_tensor([[4.0]]).inverse()",
        "import minipaddle.ops; minipaddle.engine.operator.operator.TABLE['determinant']",
        "import minipaddle.ops; minipaddle.engine.operator.operator.TABLE.get('determinant').name",
    ],
)
def test_a_family_is_loaded_when_one_of_its_names_is_asked_for(line):
    assert asked_for(line) == ["minipaddle.ops.linalg.inverse"]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.file)
def test_a_family_says_what_its_file_gives(family):
    module = importlib.import_module(family.home)
    assert {op.type for op in ALL if op.kernel.__module__ == family.home} == set(family.types.split())
    for name in f"{family.names} {family.functions} {family.methods}".split():
        assert callable(getattr(module, name)), name


def test_no_name_has_two_homes():
    names = [name for one in FAMILIES for name in f"{one.names} {one.functions} {one.methods}".split()]
    assert sorted(set(names)) == sorted(names)


def test_a_table_with_types_to_come_answers_like_one_that_has_them_all():
    table = Table()
    table.later["later"] = (
        "minipaddle.engine.value.meta"  # it defines no operator: to look for one is a mistake
    )
    assert "later" in table
    assert "never" not in table
    assert table.get("never", 7) == 7
    with pytest.raises(KeyError):
        table["later"]
    first = table.define(Operator("first", lambda x: x, name="first"))
    with pytest.raises(ValueError, match="defined twice"):
        table.define(first)
    assert [*table] == ["first"]
    assert [*table.values()] == [first]


def test_the_table_is_whole_for_who_goes_through_it():
    assert {type for family in FAMILIES for type in family.types.split()} <= {*TABLE}


def front_of(*files):
    """Return a package that shows names of some files of :mod:`minipaddle.paddle.nn.functional`."""
    package = ModuleType("minipaddle.paddle.nn.functional")
    package.__getattr__ = front(vars(package), *files)
    return package


def test_a_front_loads_names_and_files_and_tells_what_is_missing():
    package = front_of({"activation": "gumbel_softmax", "upsampling": "interpolate", "vision": ""})
    assert package.__all__ == ["gumbel_softmax", "interpolate"]
    assert package.gumbel_softmax.__name__ == "gumbel_softmax"
    assert package.gumbel_softmax is vars(package)["gumbel_softmax"]
    assert package.vision is importlib.import_module("minipaddle.paddle.nn.functional.vision")
    with pytest.raises(AttributeError, match=r"nearest: paddle\.nn\.functional\.gumbel_softmax"):
        package.gumbel_softmaxx


def test_the_files_of_another_package_are_no_rooms_of_a_front():
    package = front_of({"upsampling": "interpolate"}, "minipaddle.paddle.nn.functional")
    assert package.interpolate
    with pytest.raises(AttributeError):
        package.upsampling


def test_what_is_guarded_is_guarded_once_and_only_if_it_is_ours():
    class Colour(enum.Enum):
        RED = 1

    def paint():
        """Do nothing."""

    Colour.__module__ = paint.__module__ = "minipaddle.paddle.colours"
    begin, names = enum.Enum.__init__, {"Colour": Colour, "paint": paint}
    guard_all(names)
    guarded = names["paint"]
    guard_all(names)
    assert enum.Enum.__init__ is begin
    assert names["paint"] is guarded is not paint


EVERY_FILE = """
from pathlib import Path
from importlib import import_module
from minipaddle import ops, paddle
from minipaddle.engine.operator.table import TABLE

known = {type for type in TABLE}
for file in sorted(Path(ops.__path__[0]).rglob("*.py")):
    parts = file.relative_to(ops.__path__[0]).with_suffix("").parts
    import_module(".".join(("minipaddle", "ops", *parts)))
print(sorted(set(TABLE) - known))
"""


def test_the_table_knows_the_operators_of_every_file(run_python):
    """Including those not loaded: a recording and a Program in a file name them by their types."""
    assert run_python("-c", EVERY_FILE).stdout == "[]\n"
