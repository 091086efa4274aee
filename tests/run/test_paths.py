"""Import paths of Paddle's own files lead to the very objects that have other places here."""

import pytest

from minipaddle.paddle.paths import FRONTS, offered

INSTALL = "from minipaddle.importer import install; install()\n"


def test_every_path_can_be_imported_and_is_an_attribute(run_python):
    script = (
        "import importlib, operator, paddle\n"
        f"for path in {list(FRONTS)!r}:\n"
        "    reached = operator.attrgetter(path)(paddle)\n"
        "    assert importlib.import_module('paddle.' + path) is reached, path\n"
    )
    done = run_python("-c", INSTALL + script)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("statement", "name", "ours"),
    [
        ("from paddle.tensor.math import add", "add", "minipaddle.paddle.add"),
        ("from paddle.tensor.linalg import inv", "inv", "minipaddle.paddle.linalg.inv"),
        ("import paddle.tensor", "paddle.tensor.manipulation.concat", "minipaddle.paddle.concat"),
        ("import paddle", "paddle.nn.loss.MSELoss", "minipaddle.paddle.nn.MSELoss"),
        ("import paddle.nn.layer.vision as v", "v.PixelShuffle", "minipaddle.paddle.nn.PixelShuffle"),
        ("import paddle.base as base", "base.program_guard", "minipaddle.paddle.static.program_guard"),
        ("import paddle.base as base", "base.CPUPlace", "minipaddle.paddle.CPUPlace"),
        ("from paddle.base.framework import Program", "Program", "minipaddle.paddle.static.Program"),
        ("from paddle.base.backward import gradients", "gradients", "minipaddle.paddle.static.gradients"),
        ("from paddle.static.nn.control_flow import cond", "cond", "minipaddle.paddle.static.nn.cond"),
        ("from paddle.incubate.autograd import jvp", "jvp", "minipaddle.paddle.autograd.functional.jvp"),
    ],
)
def test_what_is_imported_by_a_file_of_paddles_is_ours(run_python, statement, name, ours):
    check = f"\nimport minipaddle, minipaddle.paddle.autograd.functional\nassert {name} is {ours}"
    done = run_python("-c", INSTALL + statement + check)
    assert done.returncode == 0, done.stderr


def test_the_paths_are_ours_by_our_own_name_too(run_python):
    done = run_python(
        "-c",
        "import minipaddle.paddle.tensor.math; from minipaddle import paddle as m; assert m.tensor.math.add is m.add",
    )
    assert done.returncode == 0, done.stderr


def test_a_star_brings_what_the_file_has_by_the_table(run_python):
    done = run_python("-c", INSTALL + "from paddle.nn.layer.vision import *\nprint(PixelShuffle.__name__)")
    assert done.stdout.strip() == "PixelShuffle", done.stderr
    assert "PixelShuffle" in offered("minipaddle.paddle.nn.layer.vision")


def test_what_is_missing_there_is_told_with_a_neighbour(run_python):
    done = run_python("-c", INSTALL + "import paddle\npaddle.tensor.math.addd")
    assert "minipaddle has no paddle.tensor.math.addd; nearest: paddle.tensor.math.add" in done.stderr
