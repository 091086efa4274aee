"""The command line answers quickly, and lists its commands."""

import pytest


def test_help_names_the_commands(run_cli):
    done = run_cli("--help")
    assert done.returncode == 0
    assert {"run", "graph", "step", "coverage", "ops"} <= set(done.stdout.split())


def test_help_does_not_import_numpy(run_python):
    code = (
        "import sys; sys.argv = ['minipaddle', '--help']\n"
        "from minipaddle.tools.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "print('loaded:', [name for name in ('numpy', 'scipy', 'graphviz') if name in sys.modules])"
    )
    done = run_python("-c", code)
    assert done.stdout.endswith("loaded: []\n"), done.stderr


@pytest.mark.parametrize("command", ["run", "graph", "step", "coverage", "ops"])
def test_each_command_explains_itself(run_cli, command):
    run_cli(command, "--help").ended(0, f"minipaddle {command}")


def test_version(run_cli):
    done = run_cli("--version")
    assert done.stdout.split()[0] == "minipaddle"
    assert done.stdout.split()[1][0].isdigit()


def test_no_command_shows_the_help_and_is_a_usage_error(run_cli):
    done = run_cli()
    assert done.returncode == 2
    assert "coverage" in done.stdout + done.stderr


def test_unknown_command(run_cli):
    run_cli("rum", "x.py").ended(2, told="No such command 'rum'")
