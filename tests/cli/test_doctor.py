"""`minipaddle doctor` tells what draws here, and why not."""

import shutil

import pytest


def rows(done):
    """The state of each subject; a long explanation goes on in a line that starts with blanks."""
    return {line.split()[1]: line.split()[0] for line in done.stdout.splitlines() if line[0] != " "}


def test_versions_and_engines(run_cli):
    done = run_cli("doctor")
    assert done.returncode == 0, done.stderr
    state = rows(done)
    assert state["python"] == state["numpy"] == state["rich"] == state["own"] == "ok"
    assert state["dot"] == ("ok" if shutil.which("dot") else "no")


def test_without_dot(run_cli, tmp_path):
    done = run_cli("doctor", env={"PATH": str(tmp_path)})
    state = rows(done)
    assert state["pygraphviz"] == "ok" or "for the layered picture" in done.stderr
    assert (state["dot"], state["own"]) == ("no", "ok")


@pytest.mark.parametrize("body", ["exit 3", "no_such_program"])
def test_a_dot_that_does_not_work(run_cli, tmp_path, body):
    program = tmp_path / "dot"
    program.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    program.chmod(0o755)
    assert rows(run_cli("doctor", env={"PATH": f"{tmp_path}:/bin:/usr/bin"}))["dot"] == "no"
