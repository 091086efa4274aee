"""`module:function` and `-m module` wherever a script may stand."""

import json

import pytest

MODULE = """
    import sys
    import paddle

    count = 3

    def train():
        print("arguments", sys.argv[1:])
        w = paddle.to_tensor([1.0, -2.0], stop_gradient=False)
        loss = (w * w).sum()
        loss.backward()

    def rate(lr, decay=0):
        pass

    async def later():
        pass

    class Net:
        @staticmethod
        def run():
            train()

    def fails():
        raise ValueError("no luck")

    def lacks():
        paddle.no_such_thing

    if __name__ == "__main__":
        train()
"""


@pytest.fixture
def run(run_cli, write_script, tmp_path):
    """`run("step", "nets:train", ...)` in a directory with the module."""
    write_script(MODULE, "nets.py")
    return lambda *arguments, **options: run_cli(*arguments, cwd=tmp_path, **options)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["run"], "arguments ['--lr', '0.1']"),
        (["graph"], "w  leaf  [2]"),
        (["step", "-c", "goto w.grad"], "w.grad    backward    loss.backward()    nets.py:10"),
        (["flow"], "all well"),
        (["nan"], "no NaN and no Inf"),
        (["check"], "3 gradients checked, 0 wrong"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
@pytest.mark.parametrize("place", ["nets:train", "nets:Net.run", "-m"])
def test_a_function_of_a_module_stands_where_a_script_may(run, command, words, place):
    where = ["-m", "nets"] if place == "-m" else [place]
    done = run(*command, *where, "--", "--lr", "0.1")
    assert done.returncode == 0, done.stderr
    assert words in done.stdout
    assert "arguments ['--lr', '0.1']" in done.stdout + done.stderr


def test_trace_and_diff_and_coverage_and_program_take_one_too(run):
    assert run("trace", "nets:train", "-o", "run.mpt").returncode == 0
    same = run("diff", "nets:train", "nets:Net.run")
    assert (same.returncode, same.stdout.splitlines()[-1]) == (0, "nothing differs")
    assert run("diff", "nets:train", "run.mpt").returncode == 0
    names = json.loads(run("coverage", "nets:train", "--json").stdout)
    assert names["missing"] == 1
    assert run("coverage", "-m", "nets", "--json").stdout == run(
        "coverage", "nets.py", "--json"
    ).stdout.replace('"nets.py"', json.dumps(names["script"]))
    assert "built no Program" in run("program", "nets:train").stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nets:trian", "nets has no trian; nearest: train"),
        ("nets:Net.runn", "nets.Net has no runn; nearest: run"),
        ("nests:train", "there is no module nests; nearest: nets"),
        ("nets.py:train", "a function is named by its module: nets:train"),
        ("some/nets.py:train", "a function is named by its module: some.nets:train"),
        ("nets:count", "nets:count is no function, but int"),
        ("nets:rate", "nets:rate needs arguments (lr)"),
        ("nets:later", "would not run when it is called"),
    ],
)
@pytest.mark.parametrize("command", ["run", "step"])
def test_what_cannot_be_called_is_refused_in_one_line(run, command, name, said):
    done = run(command, name)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_function_ends_as_a_script_does(run):
    done = run("run", "nets:fails")
    assert done.returncode == 1
    assert "no luck" in done.stderr
    assert "importlib" not in done.stderr
    assert run("run", "nets:lacks").returncode == 4


@pytest.mark.parametrize("name", ["nowhere:f", "pack.nowhere:f"])
def test_no_source_to_read(run, name):
    done = run("coverage", name)
    assert done.returncode == 2
    assert "there is no" in done.stderr


def test_a_file_of_that_name_is_a_script(run, tmp_path):
    (tmp_path / "nets:train").write_text("print('the file')")
    assert run("run", "nets:train").stdout == "the file\n"
