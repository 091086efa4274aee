"""Pages of the documentation: links lead somewhere, decisions are listed and short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "tutorials/*.md", "benchmarks/*.md", "tests/**/*.md")
    for path in ROOT.glob(pattern)
)
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)|src=\"([^\":]+)\"")
MENTION = re.compile(r"`((?:engine|ops|paddle|tools)/[\w/]+\.py)`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    targets = ["".join(found) for found in LINK.findall(page.read_text(encoding="utf-8"))]
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_are_named_exist(page: Path) -> None:
    named = MENTION.findall(page.read_text(encoding="utf-8"))
    assert [file for file in named if not (ROOT / "minipaddle" / file).is_file()] == []


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem)
def test_decision_is_short_and_listed(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    number = page.name[:4]
    assert len(lines) <= 40
    assert re.match(r"# (\d{4}|NNNN): ", lines[0])
    if number != "0000":
        assert lines[0].startswith(f"# {number}: ")
        assert f"]({page.name})" in (page.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("title", ["What", "Why", "What was tried", "What it costs"])
def test_decisions_answer_the_same_questions(title: str) -> None:
    written = [page.name for page in DECISIONS if f"\n## {title}\n" in page.read_text(encoding="utf-8")]
    assert written == [page.name for page in DECISIONS]
