"""A missing name raises where it is used, with its full name and the nearest existing one."""

import sys
from types import ModuleType

import pytest

from minipaddle import paddle
from minipaddle.engine.names.missing import (
    Missing,
    MissingImport,
    MissingName,
    missing,
    near,
    neighbours,
    public,
)


@pytest.fixture
def package(monkeypatch):
    """A module of the namespace, with a neighbour that has the same kind of names."""
    module, other = ModuleType("minipaddle.paddle.zoo"), ModuleType("minipaddle.paddle.park")
    vars(module).update(Lion=1, lion=2, Giraffe=3, __getattr__=missing("minipaddle.paddle.zoo", vars(module)))
    vars(other).update(Zebra=4, __all__=["Zebra"])
    monkeypatch.setitem(sys.modules, "minipaddle.paddle.zoo", module)
    monkeypatch.setitem(sys.modules, "minipaddle.paddle.park", other)
    return module


def test_the_error_names_the_name_and_its_neighbour(package):
    with pytest.raises(
        AttributeError, match=r"^minipaddle has no paddle\.zoo\.Girafe; nearest: paddle\.zoo\.Giraffe$"
    ):
        package.Girafe


def test_case_is_no_distance_and_both_spellings_are_told(package):
    with pytest.raises(MissingName) as caught:
        package.LION
    assert caught.value.nearest == ["paddle.zoo.Lion", "paddle.zoo.lion"]


def test_the_same_name_elsewhere_comes_first(package):
    with pytest.raises(MissingName) as caught:
        package.Zebra
    assert caught.value.nearest == ["paddle.park.Zebra"]


def test_a_file_of_our_own_is_no_address(package):
    del sys.modules["minipaddle.paddle.park"].__all__
    with pytest.raises(MissingName) as caught:
        package.Zebra
    assert caught.value.nearest == []


def test_what_was_not_asked_for_yet_is_found_in_paddle_itself():
    with pytest.raises(AttributeError, match=r"nearest: paddle\.cross$"):
        paddle.nn.functional.cross


def test_a_name_like_nothing(package):
    with pytest.raises(MissingName, match=r"no paddle\.zoo\.xyzzyx, nor anything with a name like it"):
        package.xyzzyx


def test_names_added_later_are_known(package):
    package.Okapi = 5
    with pytest.raises(MissingName, match=r"nearest: paddle\.zoo\.Okapi"):
        package.Okapy


def test_from_import_says_the_same(package):
    message = r"cannot import name 'Girafe' from 'paddle\.zoo'.*nearest: paddle\.zoo\.Giraffe"
    with pytest.raises(MissingImport, match=message) as caught:
        exec("from minipaddle.paddle.zoo import Girafe")
    assert isinstance(caught.value, ImportError)


def test_also_through_a_getattr_of_the_modules_own(package):
    exec("def __getattr__(name): return refuse(name)", vars(package))
    package.refuse = missing("minipaddle.paddle.zoo", ["Giraffe"])
    with pytest.raises(MissingImport, match="cannot import name 'Girafe'"):
        exec("from minipaddle.paddle.zoo import Girafe")
    assert not hasattr(package, "Girafe")


def test_hasattr_and_getattr_work_as_ever(package):
    assert hasattr(package, "Lion")
    assert not hasattr(package, "Wolf")
    assert getattr(package, "Wolf", "none") == "none"


def test_questions_of_python_are_answered_plainly(package):
    with pytest.raises(AttributeError) as caught:
        package.__wrapped__
    assert not isinstance(caught.value, Missing)


def test_public_is_all_or_what_is_written_there():
    module = ModuleType("minipaddle.paddle.zoo")
    lion = type("Lion", (), {"__module__": "minipaddle.paddle.zoo"})
    vars(module).update(sys=sys, Lion=lion, pi=3.14, _hidden=1, of_another_file=public)
    vars(module).update(OrderedDict=__import__("collections").OrderedDict)
    assert public(module) == ["Lion", "pi"]
    module.__all__ = ["pi"]
    assert public(module) == ["pi"]


def test_near_ranks_by_likeness():
    assert near("conv1d", ["Linear", "Conv2D", "conv1d"]) == ["conv1d", "Conv2D"]
    assert near("x", []) == []


def test_neighbours_repeat_nothing(package):
    assert neighbours("minipaddle.paddle.zoo", "Lion", ["Lion"]) == ["paddle.zoo.Lion"]


def test_a_submodule_that_is_being_imported_is_left_to_python(package, monkeypatch):
    cub = ModuleType("minipaddle.paddle.zoo.cub")
    monkeypatch.setitem(sys.modules, "minipaddle.paddle.zoo.cub", cub)
    names: dict[str, object] = {}
    exec("from minipaddle.paddle.zoo import cub", names)
    assert names["cub"] is cub
