"""What no linter says for us: nothing is silenced, put off or skipped, and nothing waits for a clock."""

import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path

import minipaddle

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted([*ROOT.glob("minipaddle/**/*.py"), *ROOT.glob("tests/**/*.py"), *ROOT.glob("*.py")])

SILENCED_OR_PUT_OFF = re.compile(r"noqa|type:\s*ignore|\b(TODO|FIXME|XXX)\b")
SKIPPED_OR_TIMED = re.compile(r"\bmark\.(skip|xfail)|\bpytest\.(skip|xfail|importorskip)\b|\btime\.sleep\b")


def tokens(path: Path, comments: bool) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of the comments of a file, or of its lines without comments and strings."""
    hidden = {tokenize.COMMENT, tokenize.STRING}
    code: dict[int, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if comments and token.type == tokenize.COMMENT:
            yield token.start[0], token.string
        elif token.type not in hidden:
            code[token.start[0]] = code.get(token.start[0], "") + token.string
    if not comments:
        yield from code.items()


def findings(pattern: re.Pattern[str], comments: bool) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line}: {text.strip()}"
        for path in FILES
        if pattern.search(path.read_text(encoding="utf-8"))  # else there is nothing to take apart
        for line, text in tokens(path, comments)
        if pattern.search(text)
    ]


def test_nothing_is_silenced_or_put_off():
    assert findings(SILENCED_OR_PUT_OFF, comments=True) == []


def test_no_test_is_skipped_and_none_sleeps():
    assert findings(SKIPPED_OR_TIMED, comments=False) == []


RETIRED = re.compile(
    r"\bscribe|census|whereabouts|curtain|minted|younger|\brungs?\b|\bwish(es|ed)?\b|\blends?\b|\bread over\b|"
    r"\bwants? a gradient|\bhears? of\b|\bfates\b|\bsparing\b",
    re.IGNORECASE,
)


def test_words_that_the_field_has_its_own_for_stay_out():
    """See docs/glossary.md: a builder, a registry, a user's frame, saved edges, what requires gradient ..."""
    found = {
        path.relative_to(ROOT).as_posix(): sorted(
            {match[0] for match in RETIRED.finditer(path.read_text("utf-8"))}
        )
        for path in FILES
        if path.is_relative_to(ROOT / "minipaddle")
    }
    assert {path: words for path, words in found.items() if words} == {}


WRITES = re.compile(
    r"\.write_(text|bytes)\(|\bopen\([^)]*[\"'][wax]b?\+?[\"']|\bZipFile\([^)]*[\"']w|\bsavez\("
)
WRITERS = {
    "paddle/framework/whole_file.py",  # the one that the others use
    "tools/cli/console.py",  # os.devnull
}


def test_files_are_written_in_one_way():
    """Which is whole or not at all; see paddle/framework/whole_file.py."""
    package = ROOT / "minipaddle"
    found = {
        path.relative_to(package).as_posix(): WRITES.findall(path.read_text(encoding="utf-8"))
        for path in package.rglob("*.py")
    }
    assert {name for name, places in found.items() if places} - WRITERS == {"tools/record/file.py"}
    assert len(found["tools/record/file.py"]) == 2  # members of the archive, which is a whole file


def test_tests_import_no_tests():
    """What they share is in tests/support, where no test is, or a fixture."""
    tests = ROOT / "tests"
    assert [*tests.glob("support/**/test_*.py"), *tests.glob("support/**/conftest.py")] == []
    foreign = re.compile(r"^\s*(from|import) +(tests(?!\.support)\b|\.)", re.MULTILINE)
    files = [path for path in tests.rglob("*.py") if "support" not in path.relative_to(tests).parts]
    assert [str(path) for path in files if foreign.search(path.read_text(encoding="utf-8"))] == []
    strangers = re.compile(r"^\s*(from|import) +tests(?!\.support)\b", re.MULTILINE)
    assert [
        str(path) for path in tests.glob("support/**/*.py") if strangers.search(path.read_text("utf-8"))
    ] == []


def test_every_room_has_a_front():
    rooms = {path.parent for path in (ROOT / "minipaddle").rglob("*.py")}
    without = [str(room.relative_to(ROOT)) for room in sorted(rooms) if not (room / "__init__.py").is_file()]
    assert without == []


def test_the_version_is_the_same_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == minipaddle.__version__
