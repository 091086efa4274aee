"""Our own packages are not part of paddle, whatever command runs the script; as minipaddle they are there."""

import pytest

INSIDE = "    x = paddle.ones([2]); (x * 1).sum()\n"


@pytest.mark.parametrize("command", ["run", "step", "check", "nan", "flow", "graph"])
def test_a_name_of_ours_is_a_missing_name(run_cli, write_script, command):
    script = write_script("    import paddle\n" + INSIDE + "    paddle.viz(x)\n")
    done = run_cli(command, script, input="")
    assert done.returncode == 4, done.stderr
    assert "minipaddle has no paddle.viz" in done.stderr
    assert "nearest: paddle.viz" not in done.stderr


@pytest.mark.parametrize("command", ["run", "check", "graph"])
def test_a_function_of_paddle_that_has_the_name_of_a_package_is_the_function(run_cli, write_script, command):
    lines = "    x = paddle.ones([2, 2])\n    print(paddle.trace(x).item(), float(trace(x * 2)))\n"
    done = run_cli(
        command, write_script("    import paddle\n    from paddle import trace\n" + INSIDE + lines)
    )
    assert "2.0 4.0" in done.stdout + done.stderr


def test_none_of_them_leaks_and_all_are_there_by_our_name(run_cli, write_script):
    script = write_script(
        "    import paddle\n    import minipaddle.debug\n    import minipaddle as ours\n"
        "    from minipaddle import viz\n"
        + INSIDE
        + "    print(minipaddle.debug.step.__name__, ours.debug is minipaddle.debug, viz.__name__)\n"
    )
    assert "step True minipaddle.viz" in run_cli("check", script).stdout
    script = write_script(
        "    import paddle\n"
        + INSIDE
        + "    print([n for n in 'cli debug ops viz'.split() if hasattr(paddle, n)])\n"
        + "    try:\n        from paddle import viz\n    except ImportError as error:\n        print(error)\n"
    )
    done = run_cli("check", script)
    assert "[]\n" in done.stdout
    assert "cannot import name 'viz' from 'paddle'" in done.stdout
