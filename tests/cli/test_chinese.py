"""The command line in Chinese: its help, and its errors about unknown words."""

import ast
import json
import re

import pytest
from rich.cells import cell_len
from typer.main import get_command

from minipaddle.tools.cli.app import app

COMMANDS = sorted(get_command(app).commands)
CHINESE = {"LANG": "zh_CN.UTF-8"}


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_is_in_the_language_of_the_locale_or_the_one_that_is_asked_for(run_cli, command):
    words = [] if command is None else [command]
    said = run_cli(*words, "--help", env=CHINESE | {"COLUMNS": "80"})
    said.ended(0, "用法：minipaddle", "选项")
    assert not re.search(r"[A-Za-z]+ [a-z]+ [a-z]+ [a-z]+", said.stdout), "no sentence is left in English"
    assert max(map(cell_len, said.stdout.splitlines())) <= 80
    assert "…" not in said.stdout, "nothing is cut off"
    for asked in (["--lang", "zh", "--help"], ["--help", "--lang", "zh"], ["--lang=zh", "--help"]):
        assert run_cli(*words, *asked, env={"COLUMNS": "80"}).stdout == said.stdout
    assert "Usage: minipaddle" in run_cli(*words, "--help", "--lang", "en", env=CHINESE).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["grph", "x.py"], "没有命令 grph；你是指 graph 吗？"),
        (["zzz"], "没有命令 zzz"),
        (["coverage", "--foo"], "没有选项 --foo"),
        (["graph", "x.py", "--engin"], "`graph` 没有选项 --engin。给脚本的选项写在 `--` 之后"),
        (["graph", "x.py", "--pass"], "选项 --pass 需要一个值"),
        (["graph", "x.py", "--show=1"], "选项 --show 不接受值"),
        (["graph", "x.py", "--pass", "k"], "'--pass' 的值应为 <int range> [x>=1]"),
        (["graph", "x.py", "--layout", "k"], "'--layout' 的值应为 <mirror|tape>"),
        (["diff"], "缺少 'A'"),
        (["ops", "relu", "tanh", "exp"], "多余的词：tanh exp"),
        (["--lang", "zh"], "缺少命令"),
        (["graph"], "请给出要运行的脚本"),
        (["graph", "nowhere.mpt"], "nowhere.mpt：No such file or directory"),
    ],
)
def test_a_wrong_command_line_is_told_in_chinese(run_cli, words, said):
    done = run_cli(*words, env=CHINESE | {"COLUMNS": "120"})
    done.ended(2, told=said)
    assert "Error" not in done.stderr
    assert "Usage" not in done.stderr


def test_what_follows_two_dashes_is_the_scripts(run_cli, tmp_path):
    (tmp_path / "x.py").write_text("import sys; print(sys.argv[1:])")
    done = run_cli("run", tmp_path / "x.py", "--", "--lang", "zh")
    assert done.stdout == "['--lang', 'zh']\n"
    assert "ran " in done.stderr


def test_where_chinese_cannot_be_written_it_is_english(run_cli):
    assert "Usage: minipaddle" in run_cli("--help", env=CHINESE | {"PYTHONIOENCODING": "ascii"}).stdout


def test_graph_without_a_script_asks_for_one(run_cli):
    run_cli("graph").ended(2, told="name the script to run")


def test_a_lesson_is_written_in_chinese_with_the_code_of_the_english_one(run_cli, tmp_path):
    for language in ("en", "zh"):
        (tmp_path / language).mkdir()
        done = run_cli("lesson", "2", "--notebook", "--lang", language, cwd=tmp_path / language)
        assert done.returncode == 0, done.stderr
    assert "反向遍历" in done.stdout
    english, chinese = (
        (tmp_path / language / "02_reverse_walk.py").read_text(encoding="utf-8") for language in ("en", "zh")
    )
    assert "# # 2. 反向遍历" in chinese
    assert ast.dump(ast.parse(english)) == ast.dump(ast.parse(chinese))
    assert max(map(cell_len, chinese.splitlines())) <= 110
    notebook = (tmp_path / "zh" / "02_reverse_walk.ipynb").read_text(encoding="utf-8")
    assert "反向遍历" in json.loads(notebook)["cells"][0]["source"][0]
    listed = run_cli("lesson", env=CHINESE).stdout
    assert "从零写一个优化器" in listed
    assert not re.search(r"[A-Za-z]+ [a-z]+ [a-z]+ [a-z]+", listed)
