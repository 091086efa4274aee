"""The Program that is drawn without being run."""


def test_a_program_is_chosen_by_its_name(run_cli, tmp_path):
    script = tmp_path / "two.py"
    script.write_text(
        "import paddle\npaddle.enable_static()\none, two = paddle.static.Program(), paddle.static.Program()\n"
        "for program, function in ((one, paddle.exp), (two, paddle.tanh)):\n"
        "    with paddle.static.program_guard(program, paddle.static.Program()):\n"
        "        x = paddle.static.data('x', [2])\n        x.stop_gradient = False\n"
        "        paddle.static.append_backward(paddle.mean(function(x)))\n",
        encoding="utf-8",
    )
    for name, operator in (("one", "exp"), ("two", "tanh")):
        drawn = tmp_path / f"{name}.dot"
        assert run_cli("graph", script, "--name", name, "-o", drawn).returncode == 0
        assert f"{operator}_grad" in drawn.read_text(encoding="utf-8")
    done = run_cli("graph", script, "--name", "three")
    assert (done.returncode, "there are one, two" in done.stderr) == (2, True)
