"""Every sentence has a Chinese translation with the same parts, and no translation is left over."""

import ast
import string
from functools import cache

import pytest
from typer.main import get_command

from minipaddle.engine.operator.operator import operators
from minipaddle.tools.cli.app import app
from minipaddle.tools.cli.translated_help import TITLES, USAGE, paragraphs
from minipaddle.tools.debug import Prompt
from minipaddle.tools.debug.commands.completion import TOPICS
from minipaddle.tools.debug.prompt import _GROUPS
from minipaddle.tools.page.page import SAID
from minipaddle.tools.picture.draw.theme import EDGES, NODES, THEMES
from minipaddle.tools.picture.draw.theme import WORDS as WIDTHS
from minipaddle.tools.run.failing import TABLES
from minipaddle.tools.words.language import entries, language_of_the_environment, say_what_it_does, speak
from minipaddle.tools.words.terminal import WORDS
from tests.support.cases import for_each
from tests.support.process import ROOT

PO = (ROOT / "minipaddle" / "tools" / "words" / "locale" / "zh_CN.po").read_text(encoding="utf-8")
CHINESE = {sentence: meaning for sentence, meaning in entries(PO).items() if sentence}
OPERATOR = "operator\x04"


_ERRORS = ("NoMove", "AtEdge", "BadSpec", "UnusableScript", "BadOption", "NoBackward", "NoRenderer", "Fixed")
_ERRORS += ("Absent", "Failed", "Hung", "Claim")
SAYING = (
    "say",
    "because",
    "mistake",
    "look",
    "phrase",
    "phrases",
    "needed",
    "sentence",
    "note",
    "fail",
    *_ERRORS,
)
"""Functions, and errors, whose texts are sentences; what needs no words, such as a path and a reason, may be put in."""


def helps():
    """Return every paragraph of `--help`, of all commands, options and arguments, and what Typer writes around them."""
    whole = get_command(app)
    found = {*TITLES.values(), USAGE}
    for command in (whole, *whole.commands.values()):
        context = command.make_context(command.name, [], resilient_parsing=True)
        found |= {*paragraphs(command.help)}
        found |= {
            text for one in command.get_params(context) for text in paragraphs(getattr(one, "help", None))
        }
    return found - {""}


def words_of_pages():
    """Return what templates and scripts of pages say, and the words of legends and choices."""
    assets = (ROOT / "minipaddle" / "tools" / "page" / "assets").rglob("*.*")
    found = {text for file in assets for text in SAID.findall(file.read_text(encoding="utf-8"))}
    found |= {one.meaning for one in (*NODES.values(), *EDGES.values()) if one.meaning}
    return found | {WIDTHS, *(theme.title for theme in THEMES.values())}


def texts_in(argument):
    """Return what an argument may say: a text, or one of two."""
    if isinstance(argument, ast.IfExp):
        return texts_in(argument.body) | texts_in(argument.orelse)
    return {argument.value} if isinstance(argument, ast.Constant) and argument.value else set()


@cache
def sentences():
    """Return every text given to say(), the first line of every command, and what is said by way of a table."""
    found = {*_GROUPS, *(line for lines in TOPICS.values() for line in lines)}
    found |= set(WORDS) | helps() | words_of_pages()
    found |= {*TABLES["says"].values(), *TABLES["misused"].values()}
    for path in (ROOT / "minipaddle").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in SAYING:
                found |= {text for arg in node.args for text in texts_in(arg)}
    commands = (name for name in dir(Prompt) if name.startswith("do_"))
    return found | {getattr(Prompt, name).__doc__.splitlines()[0] for name in commands}


def parts(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_sentence_that_is_said_has_a_translation():
    assert sentences() - set(CHINESE) == set()


def test_every_translation_is_of_a_sentence_that_is_said():
    """Reword the English, and its Chinese is found here: it is not lost."""
    said = sentences() | {OPERATOR + (op.__doc__ or "").strip().split("\n")[0] for op in operators()}
    assert set(CHINESE) - said == set()


def test_no_sentence_stands_twice():
    assert PO.count('\nmsgid "') == len(CHINESE) + 1, "one more for the header"


@for_each("sentence", {sentence: sentence for sentence in CHINESE if OPERATOR not in sentence})
def test_a_translation_has_the_same_parts(sentence):
    assert parts(CHINESE[sentence]) == parts(sentence)


def test_texts_in_a_po_file_may_have_quotes_and_several_lines():
    text = '# remark\nmsgctxt "verb"\nmsgid ""\n"say \\"no\\""\nmsgstr "说\\n"\n"不"\n'
    assert entries(text) == {'verb\x04say "no"': "说\n不"}


@pytest.fixture
def chinese():
    speak("zh")
    yield
    speak("en")


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


def test_what_operators_do_is_said_in_chinese_or_else_in_english(chinese):
    assert say_what_it_does("Add tensors of one shape.") == "把形状相同的张量相加。"
    assert say_what_it_does("Do what nobody does.") == "Do what nobody does."
    speak("en")
    assert say_what_it_does("Add tensors of one shape.") == "Add tensors of one shape."
