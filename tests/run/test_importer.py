"""`import paddle` in every form gives the modules of minipaddle, and no other paddle is ever loaded."""

import pytest

INSTALL = "from minipaddle.importer import install; install()\n"

FORMS = [
    ("import paddle", "paddle", "minipaddle.paddle"),
    ("import paddle as pd", "pd", "minipaddle.paddle"),
    ("import paddle.nn", "paddle.nn", "minipaddle.paddle.nn"),
    ("import paddle.nn as nn", "nn", "minipaddle.paddle.nn"),
    ("import paddle.nn.functional as F", "F", "minipaddle.paddle.nn.functional"),
    ("from paddle import nn", "nn", "minipaddle.paddle.nn"),
    ("from paddle.nn import functional", "functional", "minipaddle.paddle.nn.functional"),
    ("from paddle import base", "base", "minipaddle.paddle.base"),
    ("from paddle.base import dygraph", "dygraph", "minipaddle.paddle.base.dygraph"),
    ("import paddle.fluid as fluid", "fluid", "minipaddle.paddle.base"),
    ("import paddle.fluid", "paddle.fluid", "minipaddle.paddle.base"),
    ("from paddle.fluid import dygraph", "dygraph", "minipaddle.paddle.base.dygraph"),
    (
        "import importlib; m = importlib.import_module('paddle.optimizer.lr')",
        "m",
        "minipaddle.paddle.optimizer.lr",
    ),
    ("m = __import__('paddle.nn.functional', fromlist=['relu'])", "m", "minipaddle.paddle.nn.functional"),
]


@pytest.mark.parametrize(("statement", "name", "module"), FORMS)
def test_the_module_is_ours_and_keeps_its_own_name(run_python, statement, name, module):
    check = f"import sys; m = {name}; assert m is sys.modules[{module!r}]; print(m.__name__, m.__spec__.name)"
    done = run_python("-c", f"{INSTALL}{statement}\n{check}")
    assert done.stdout.split() == [module, module], done.stderr


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("from paddle.autograd.py_layer import PyLayer", "minipaddle.paddle.autograd.PyLayer"),
        ("from paddle.autograd import PyLayer", "minipaddle.paddle.autograd.PyLayer"),
        ("from paddle.nn import Linear", "minipaddle.paddle.nn.Linear"),
        ("from paddle import to_tensor", "minipaddle.paddle.to_tensor"),
    ],
)
def test_what_is_imported_from_paddle_is_ours(run_python, statement, name):
    imported = statement.split()[-1]
    done = run_python("-c", f"{INSTALL}{statement}\nimport minipaddle\nassert {imported} is {name}")
    assert done.returncode == 0, done.stderr


def test_star_import(run_python):
    done = run_python("-c", f"{INSTALL}from paddle.nn.functional import *\nprint(relu.__name__)")
    assert done.stdout.strip() == "relu", done.stderr


def test_a_module_is_loaded_once_under_both_names(run_python):
    done = run_python(
        "-c",
        INSTALL + "import minipaddle.paddle.nn.functional, paddle.nn.functional, paddle, minipaddle, sys\n"
        "assert paddle is minipaddle.paddle and paddle.nn.functional is minipaddle.paddle.nn.functional\n"
        "assert {'paddle', 'paddle.nn', 'paddle.nn.functional'} <= set(sys.modules)",
    )
    assert done.returncode == 0, done.stderr


def test_importing_a_module_late_does_not_bind_it_over_a_function_of_its_name(run_python, tmp_path):
    code = """
        import minipaddle, types, sys
        module = sys.modules["minipaddle.paddle.flops"] = types.ModuleType("minipaddle.paddle.flops")
        minipaddle.paddle.flops = flops = lambda: 1
        import paddle
        import paddle.flops
        assert sys.modules["paddle.flops"] is module and paddle.flops is flops
    """
    script = tmp_path / "late.py"
    script.write_text(INSTALL + "\n".join(line.strip() for line in code.splitlines()), encoding="utf-8")
    done = run_python(script)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def other_paddle(tmp_path):
    """A directory with a package called paddle that tells on itself when it is imported."""
    package = tmp_path / "site" / "paddle"
    (package / "nn").mkdir(parents=True)
    for file in (package / "__init__.py", package / "nn" / "__init__.py", package / "quantization.py"):
        file.write_text("print('the other paddle was imported')\n", encoding="utf-8")
    return package.parent


def test_an_installed_paddle_is_not_touched(run_python, other_paddle):
    code = (
        f"import sys; sys.path.insert(0, {str(other_paddle)!r})\n{INSTALL}import paddle, paddle.nn\n"
        "try:\n    import paddle.quantization\nexcept ModuleNotFoundError: print('no')\n"
        "print(paddle.__name__)"
    )
    done = run_python("-c", code)
    assert done.stdout.split() == ["no", "minipaddle.paddle"], done.stderr


def test_a_paddle_that_is_already_imported_is_a_clear_error(run_python, other_paddle):
    done = run_python(
        "-c", f"import sys; sys.path.insert(0, {str(other_paddle)!r})\nimport paddle\n{INSTALL}"
    )
    assert done.returncode == 1
    assert "RuntimeError: another paddle is already imported" in done.stderr
    assert str(other_paddle) in done.stderr


@pytest.mark.parametrize("name", ["core", "ops", "viz", "debug", "cli"])
def test_our_own_packages_are_not_paddles(run_python, name):
    done = run_python("-c", f"{INSTALL}import paddle.{name}")
    assert f"No module named 'paddle.{name}'" in done.stderr


def test_a_missing_module_names_itself_and_what_is_near(run_python):
    done = run_python("-c", f"{INSTALL}import paddle.optimiser")
    assert "No module named 'paddle.optimiser'" in done.stderr
    assert "nearest: paddle.optimizer" in done.stderr


def test_a_missing_module_is_an_import_error(run_python):
    code = "try:\n    import paddle.no_such.thing\nexcept ModuleNotFoundError:\n    print('caught')"
    done = run_python("-c", INSTALL + code)
    assert done.stdout == "caught\n", done.stderr


def test_the_context_manager_takes_the_name_back(run_python, other_paddle):
    code = (
        f"import sys; sys.path.insert(0, {str(other_paddle)!r})\n"
        "from minipaddle.importer import paddle_is_minipaddle\n"
        "with paddle_is_minipaddle():\n"
        "    with paddle_is_minipaddle():\n        import paddle.nn\n"
        "    import paddle\n    print(paddle.__name__)\n"
        "assert not [name for name in sys.modules if name.split('.')[0] == 'paddle']\n"
        "import paddle"
    )
    done = run_python("-c", code)
    assert done.stdout.splitlines() == ["minipaddle.paddle", "the other paddle was imported"], done.stderr


def test_the_type_of_a_tensor_is_pickled_by_the_name_that_finds_it(run_python):
    pickled = "pickle.loads(pickle.dumps(t)) is t, t.__module__"
    script = f"""import pickle
from minipaddle import paddle
from minipaddle.importer import paddle_is_minipaddle
t = paddle.Tensor
print({pickled})
with paddle_is_minipaddle():
    import paddle
    print({pickled})
print({pickled})"""
    lines = run_python("-c", script).stdout.splitlines()
    assert lines == [f"True {name}" for name in ("minipaddle.paddle", "paddle", "minipaddle.paddle")]
