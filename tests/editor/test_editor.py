"""An editor knows paddle: the answers of jedi and mypy about the installed wheel."""

import inspect
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import jedi
import pytest

from minipaddle import paddle

ROOT = Path(__file__).resolve().parents[2]
TYPES = {
    "paddle.tanh(x) * 2": "Tensor",
    "2 - x": "Tensor",
    "x[0]": "Tensor",
    "x.sum()": "Tensor",
    "x.grad": "Tensor | None",
    "x.exp_()": "Tensor",
    "paddle.to_tensor([1.0])": "Tensor",
    "paddle.split(x, 2)[0]": "Tensor",
    "paddle.nn.functional.relu(x)": "Tensor",
    "paddle.nn.Linear(2, 3)(x)": "Tensor",
    "paddle.nn.Linear(2, 3).weight": "Tensor",
    "paddle.nn.MaxPool2D(2)(x)": "Tensor",
    "paddle.optimizer.Adam(0.1)": "Adam",
    "paddle.grad(x, x)[0]": "Tensor | None",
    "paddle.float32": "DType",
    "paddle.no_grad()": "no_grad",
}
START = "from minipaddle import paddle\nx = paddle.ones([2, 2])\n"


def run(command, folder, **variables):
    """Run a command where no minipaddle lies beside; return its output."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | variables
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.stderr == "", done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return the folder of packages of an environment with nothing but the wheel."""
    folder = tmp_path_factory.mktemp("editor")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheel = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    run(wheel, folder)
    venv.create(folder / "venv")
    packages = next((folder / "venv").glob("**/site-packages"))
    install = [*pip, "install", "--no-deps", "--target", str(packages), str(next(folder.glob("*.whl")))]
    run(install, folder)
    return packages


@pytest.fixture(scope="module")
def types(installed, tmp_path_factory):
    """Return the type of each expression by mypy."""
    folder = tmp_path_factory.mktemp("script")
    return dict(zip(TYPES, revealed(installed, folder, START, *TYPES), strict=True))


def python_of(installed):
    environment = next(folder for folder in installed.parents if folder.name == "venv")
    return str(next(file for file in environment.glob("*/python*") if file.is_file()))


def revealed(installed, folder, start, *expressions):
    """Return the types of expressions by mypy, without the modules of classes."""
    (folder / "script.py").write_text(start + "".join(f"reveal_type({one})\n" for one in expressions))
    options = ["--strict", "--config-file=", "--cache-dir=", "--no-error-summary"]
    command = [sys.executable, "-m", "mypy", *options, "--python-executable", python_of(installed)]
    lines = run([*command, "script.py"], folder, MYPYPATH="typings").splitlines()
    lines = [re.sub(r"minipaddle\.[\w.]+\.", "", line) for line in lines]
    return [line.partition("Revealed type is ")[2].strip('"') or line for line in lines]


@pytest.mark.parametrize("expression", TYPES)
def test_mypy_knows_the_type(types, expression):
    assert types[expression] == TYPES[expression]


def test_import_paddle_is_known_by_the_copy_that_the_page_tells_to_make(installed, tmp_path):
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    run(
        [python_of(installed), "-c", re.search(r'^python -c "(.*shutil.*)"$', page, re.MULTILINE)[1]],
        tmp_path,
    )
    start = "import paddle\nimport paddle.nn.functional as F\nx = paddle.ones([2])\n"
    assert revealed(installed, tmp_path, start, "x * 2", "F.relu(x)") == ["Tensor", "Tensor"]


def asked(installed, text):
    """Return jedi's answers about the end of a script."""
    project = jedi.Project(ROOT / "tests" / "editor", sys_path=[str(installed)], smart_sys_path=False)
    return jedi.Script(START + text, project=project)


@pytest.mark.parametrize(
    ("text", "names"),
    {
        "paddle.": "tanh cosh abs_ to_tensor Tensor nn optimizer float32 no_grad grad seed",
        "paddle.tanh(x).": "tanh sum backward grad add_ reshape stop_gradient numpy cosh",
        "(x * 2).": "backward",
        "paddle.nn.": "Linear LSTM functional Layer Sequential initializer",
        "paddle.nn.functional.": "relu cross_entropy conv2d softmax",
        "paddle.nn.Linear(2, 3).": "weight bias parameters forward",
        "paddle.nn.Linear(2, 3)(x).": "backward",
        "paddle.optimizer.": "Adam SGD lr",
    }.items(),
)
def test_names_are_completed(installed, text, names):
    assert set(names.split()) <= {one.name for one in asked(installed, text).complete()}


@pytest.mark.parametrize(
    ("text", "file"),
    {
        "paddle.tanh": "ops/math/exponential.py",
        "paddle.matmul": "ops/linalg/matmul.py",
        "paddle.sum": "ops/reduction/sum.py",
        "paddle.nn.Linear": "paddle/nn/layer/common.py",
        "paddle.nn.functional.relu": "ops/activation/rectifiers.py",
        "paddle.optimizer.Adam": "paddle/optimizer/adam.py",
        "paddle.Tensor": "engine/tensor/tensor.py",
        "paddle.to_tensor": "engine/tensor/creation.py",
    }.items(),
)
def test_a_definition_is_found_in_its_own_file(installed, text, file):
    (found,) = asked(installed, text).goto(follow_imports=True)
    assert found.module_path == installed / "minipaddle" / file


def test_a_signature_says_tensor(installed):
    (signature,) = asked(installed, "paddle.tanh(").get_signatures()
    assert signature.to_string().startswith("tanh(x: Tensor, name: str | None=None")


def test_help_says_tensor_too():
    said = [str(inspect.signature(one)) for one in (paddle.tanh, paddle.Tensor.tanh, paddle.sum)]
    assert said[0] == said[1] == "(x: Tensor, name: str | None = None) -> Tensor"
    assert said[2].startswith("(x: Tensor, axis: Any = None")
    assert said[2].endswith("-> Tensor")
