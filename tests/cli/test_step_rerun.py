"""`set NAME = EXPR --rerun` at the prompt: the script runs again as it ran first, but for one number."""

import json

import pytest

EAGER = """
    import random, sys
    import numpy as np
    import paddle
    import beside

    name = input()
    rest = sys.stdin.read()
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    w = paddle.rand([2]) + random.random() + np.random.rand()
    h = x * w
    if float(h.sum()) > 0:
        y = h * 2
    else:
        y = h - 1
    loss = (y * y).sum()
    loss.backward()
    print(name, rest.split(), sys.argv[1:], beside.times(), "loss", float(loss))
"""

STATIC = """
    import numpy as np
    import paddle

    paddle.enable_static()
    x = paddle.static.data("x", [2], "float32")
    w = paddle.static.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant({w}))
    h = x * w
    y = paddle.static.nn.cond(h.sum() > 0, lambda: h * 2, lambda: h * h)
    loss = y.sum()
    paddle.optimizer.SGD(0.1).minimize(loss)
    exe = paddle.static.Executor()
    exe.run(paddle.static.default_startup_program())
    for feed in {feeds}:
        print(*exe.run(feed={{"x": np.array(feed, "f4")}}, fetch_list=[loss, y, w.name + "@GRAD"]))
"""


@pytest.fixture
def beside(tmp_path):
    (tmp_path / "beside.py").write_text(
        "count = 0\ndef times():\n    global count\n    count += 1\n    return count\n"
    )


def commands(*texts):
    return [part for text in texts for part in ("-c", text)]


@pytest.mark.usefixtures("beside")
def test_input_arguments_chance_and_modules_are_as_they_were(run_cli, write_script):
    script = write_script(EAGER)
    asked = commands("goto h", "set h = h --rerun", "diff 0", "set h = -h --rerun", "forks")
    done = run_cli("step", script, *asked, "--", "--arg", input="Ada\nmore\nlines\n")
    assert done.returncode == 0, done.stderr
    first, second, third = [line for line in done.stdout.splitlines() if line.startswith("Ada")]
    assert first == second
    assert first.startswith("Ada ['more', 'lines'] ['--arg'] 1 loss")
    assert third.rpartition(" ")[0] == first.rpartition(" ")[0]
    assert third != first
    assert "h set at event 3, the script run again; 0 values changed" in done.stdout
    assert "nothing differs" in done.stdout
    assert "the script goes another way from event 5 on: script.py:14" in done.stdout


@pytest.mark.usefixtures("beside")
def test_what_the_script_leaves_of_a_pipe_are_commands(run_cli, write_script):
    script = write_script(EAGER.replace("rest = sys.stdin.read()", 'rest = ""'))
    done = run_cli("step", script, input="Ada\ngoto h\nset h = -1 --rerun\nprint y\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Ada [] [] 1 loss") == 2
    assert "[-2. -2.]" in done.stdout


@pytest.mark.parametrize(
    ("name", "at", "new", "changed"),
    [
        ("x", "0", [-1, 0.5], ("2.0", [[-1.0, 0.5], [-1.0, 0.5]])),
        ("create_parameter_0.w_0", "multiply", [-3, -3], ("-3.0", [[1.0, 2.0], [1.0, 2.0]])),
    ],
)
def test_programs_take_their_branches_anew(run_cli, write_script, name, at, new, changed):
    feeds = [[1.0, 2.0], [1.0, 2.0]]
    script = write_script(STATIC.format(w="2.0", feeds=feeds))
    asked = commands(f"goto {at}", f"set {name} = {new} --rerun", *["goto x"] * (name == "x"))
    done = run_cli("step", script, "--passes", "all", *asked)
    again = done.stdout.partition("the script run again")[0].splitlines()[-3:-1]
    if name == "x":  # what is fed comes in anew with every run
        changed = (changed[0], [changed[1][0], feeds[1]])
    wanted = run_cli("run", write_script(STATIC.format(w=changed[0], feeds=changed[1]), "wanted.py"))
    assert again == wanted.stdout.splitlines(), done.stdout


def test_numbers_of_a_program_are_put_in_where_the_cursor_is(run_cli, write_script):
    script = write_script(STATIC.format(w="2.0", feeds=[[1.0, 2.0], [3.0, 4.0]]))
    asked = [
        "goto h",
        "goto h",
        "set h = -2 --rerun",
        "goto tmp_0@GRAD",
        "set tmp_0@GRAD = 7 --rerun",
        "diff 1",
    ]
    done = run_cli("step", script, "--passes", "all", *commands(*asked))
    assert done.returncode == 0, done.stdout
    runs = [line for line in done.stdout.splitlines() if line.endswith("]") and line[:1].isdigit()]
    assert runs[2:4] == [runs[0], "8.0 [4. 4.] [-12. -16.]"]
    assert runs[4:] == [runs[0], "8.0 [4. 4.] [21. 28.]"]  # the new h, and 7 times what is fed


def test_it_is_refused_in_one_line_and_the_session_stays(run_cli, write_script, tmp_path):
    script = write_script(
        "import paddle\nx = paddle.to_tensor([4.0], stop_gradient=False)\nh = x * 2\n"
        "if h < 0:\n    raise ValueError('h is negative')\npaddle.sqrt(h).backward()\n"
    )
    run_cli("trace", script, "-o", tmp_path / "run.mpt")
    done = run_cli("step", tmp_path / "run.mpt", *commands("set x = 1 --rerun", "where"))
    assert done.returncode == 2
    assert (
        "*** there is no script to run again: this comes from a file, or from inside a script" in done.stdout
    )
    asked = [
        "set loss = 1 --rerun",
        "set x = --rerun",
        "goto h",
        "set h = -1 --rerun",
        "list",
        "switch 0",
        "goto x.grad",
    ]
    done = run_cli("step", script, *commands(*asked))
    assert "*** there is no loss" in done.stdout
    assert "*** set what? NAME = EXPR" in done.stdout
    assert "the script ended with ValueError: h is negative" in done.stdout
    assert "ValueError    raise ValueError" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert "┌ 6/6  x.grad" in done.stdout.splitlines()[-5]


def test_a_script_that_changed_is_not_run(run_cli, write_script):
    script = write_script(
        "import paddle\nx = paddle.to_tensor([4.0], stop_gradient=False)\n(x * 2).backward()\n"
        "open(__file__, 'a').write('# changed\\n')\nx * 3\n"
    )
    done = run_cli("step", script, "--passes", "all", *commands("set x = 1 --rerun", "print x"))
    assert "script.py has changed since it ran: begin a new session" in done.stdout
    assert done.stdout.splitlines()[-1] == "[4.]"


def test_json_tells_what_became_of_the_script(run_cli, write_script):
    script = write_script(
        "import paddle\nx = paddle.to_tensor([4.0], stop_gradient=False)\n"
        "y = x * 2 if float(x) > 0 else x * x\nprint('said', float(y))\ny.backward()\n"
    )
    done = run_cli("step", script, "--json", *commands("set x = -3 --rerun", "set nobody = 1 --rerun"))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [0, 1, 1, 2]
    assert (answers[1]["fork"], answers[1]["lost"], answers[1]["says"]) == (1, [], [])
    assert answers[2]["out"][0]["data"] == [-6.0]
    assert answers[3]["error"] == "there is no nobody"
    assert done.stderr.count("said") == 2


def test_only_the_step_that_was_asked_for_gets_the_number(run_cli, write_script):
    script = write_script("""
        import paddle
        w = paddle.to_tensor([1.0], stop_gradient=False)
        optimizer = paddle.optimizer.SGD(0.5, parameters=[w])
        for step in range(3):
            loss = (w * w).sum()
            print("loss", float(loss))
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            w.set_value(w.detach() + 1)
    """)
    done = run_cli("step", script, "--pass", "2", *commands("goto loss", "set loss = 50 --rerun"))
    assert [line for line in done.stdout.splitlines() if line.startswith("loss ")][2:] == [
        "loss 1.0",
        "loss 50.0",
    ]
