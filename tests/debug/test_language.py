"""The catalogue: every sentence has a Chinese twin with the same parts, and no twin is left over."""

import ast
import string

import pytest
from rich.cells import cell_len

from minipaddle.debug import Prompt
from minipaddle.debug.commands.topics import TOPICS
from minipaddle.debug.prompt import _GROUPS
from minipaddle.explain.catalogue import find
from minipaddle.words.language import language_of_the_environment, say, say_what_it_does, speak
from minipaddle.words.locale.chinese import CHINESE
from minipaddle.words.locale.chinese_operators import CHINESE_OPERATORS
from minipaddle.words.symbols import UNICODE
from minipaddle.words.terminal import WORDS
from tests.support.process import ROOT


def sentences():
    """Every text given to say(), the first line of every command, and what is said by way of a table."""
    found = {*_GROUPS, *(line for lines in TOPICS.values() for line in lines)}
    found |= {*WORDS, "first write", "added to what was there"}
    rooms = (ROOT / "minipaddle" / room for room in ("words", "explain", "checks", "debug", "compat", "cli"))
    for path in (path for room in rooms for path in room.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("say", "needed"):
                found |= {arg.value for arg in node.args if isinstance(arg, ast.Constant) and arg.value}
            if isinstance(node, ast.FunctionDef) and node.name.startswith("do_"):
                found.add(ast.get_docstring(node).splitlines()[0])
    return found


def parts(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_sentence_is_there_and_none_is_left_over():
    assert sentences() == set(CHINESE)


@pytest.mark.parametrize("sentence", sorted(CHINESE))
def test_a_twin_has_the_same_parts(sentence):
    assert parts(CHINESE[sentence]) == parts(sentence)


@pytest.fixture
def chinese():
    speak("zh")
    yield
    speak("en")


def test_names_stay_and_sentences_change(session, chinese):
    said = []
    prompt = Prompt(session, UNICODE, said.append)
    for command in ("goto w@GRAD", "why", "flow", "nan", "b op:nothing", "help"):
        prompt.run(command)
    text = "\n".join(said)
    assert "下一步: " in text
    assert "w@GRAD = " in text
    assert "没有与 op:nothing 匹配的" in text
    assert say("no such sentence {x}", x=1) == "no such sentence 1"


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "zh_CN", "LC_ALL": "C"}, "en"),
        ({}, "en"),
    ],
)
def test_the_locale_decides(monkeypatch, variables, language):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language_of_the_environment() == language


def test_operators_in_chinese_are_operators(chinese):
    for operator, sentence in CHINESE_OPERATORS.items():
        assert find(operator) is not None, operator
        assert say_what_it_does(operator, "English") == sentence
    assert say_what_it_does("no_such_operator", "English") == "English"
    speak("en")
    assert say_what_it_does("relu", "English") == "English"


def test_tables_and_verdicts_are_chinese_and_aligned_by_cells(session, chinese):
    said = []
    prompt = Prompt(session, UNICODE, said.append)
    for command in ("goto w@GRAD", "why", "flow"):
        prompt.run(command)
    text = "\n".join(said)
    head, row = (next(line for line in said if line.startswith(one)) for one in ("停点", "1"))
    assert cell_len(head[: head.index("判断")]) == cell_len(row[: row.index("正常")])
    assert "公式     w@GRAD" in text
    assert "verdict" not in text
    said.clear()
    prompt.run("delete")
    assert said == ["*** 没有断点"]
