"""Examples in docstrings are run: those of the package, and those of the tests' own helpers."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def modules_with_examples() -> list[str]:
    files = [*ROOT.glob("minipaddle/**/*.py"), *ROOT.glob("tests/support/*.py")]
    paths = [path.relative_to(ROOT).with_suffix("") for path in files if ">>>" in path.read_text("utf-8")]
    return sorted(
        ".".join(path.parts).removesuffix(".__init__") for path in paths if path.name != "test_doctests"
    )


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples(name):
    module = import_module(name)
    failed, tried = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert tried > 0, "the examples are written where doctest does not look"
    assert failed == 0
