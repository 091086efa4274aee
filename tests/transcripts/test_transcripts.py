"""What our commands say of small scripts, line by line: each heading of a page here is a claim, and a test."""

from pathlib import Path

import pytest

from tests.support.process import ROOT
from tests.support.transcript_pages import claims, differences

PAGES = [*sorted(Path(__file__).parent.glob("*.md")), ROOT / "docs" / "questions.md"]
CLAIMS = [(page.stem, claim) for page in PAGES for claim in claims(page)]


@pytest.mark.parametrize(
    "claim", [pytest.param(claim, id=f"{page}: {claim.title}") for page, claim in CLAIMS]
)
def test_the_commands_say_what_the_page_says(claim, tmp_path):
    assert "\n\n".join(differences(claim, tmp_path)) == ""


def test_no_page_names_a_place_of_the_machine_that_wrote_it():
    """Such a line is true on one machine only: three dots stand for it."""
    told = [(page, line) for page, claim in CLAIMS for line in claim.text.splitlines()]
    assert [one for one in told if "site-packages" in one[1] or "/tmp/" in one[1]] == []


def test_a_question_is_answered_in_three_commands():
    asked = [(claim.title, claim.text) for page, claim in CLAIMS if page in ("questions", "fault-hunt")]
    typed = [(title, line) for title, text in asked for line in text.splitlines() if line[:2] == "$ "]
    assert len(asked) == 38
    assert [title for title, line in typed if line.count(" -c ") > 3] == []
