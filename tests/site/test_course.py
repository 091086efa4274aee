"""The teaching kit: minutes that add up, slides that ask first, sheets without answers."""

import re

import pytest

from docs.site import course, slides
from docs.site.scripts import ENGINE, pages, scripts
from minipaddle.tools.course import tasks
from tests.support.process import ROOT
from tests.support.transcripts import BLOCK, agrees, exchanges, lay_out, type_in

MEETINGS = {language: slides.meetings(language) for language in ("en", "zh")}
ALL = [(language, number) for language in MEETINGS for number in range(4)]
SLIDES = [slide for found in MEETINGS.values() for meeting in found for slide in meeting.slides]
FENCE = re.compile(r"^```.*\n?", re.MULTILINE)
WORD = re.compile(r"[\u4e00-\u9fff]{1,2}|[\w.']+")
COURSE_PAGE = (ROOT / "docs" / "course.md").read_text(encoding="utf-8")


def is_output(block):
    return block.text.startswith("```console") and not slides.drawings(block.text)


@pytest.mark.parametrize("page", [*pages(), ENGINE], ids=lambda page: page.stem)
def test_what_a_page_shows_is_what_its_commands_print(page, tmp_path):
    lay_out(tmp_path)
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for command, said in exchanges(block):
            printed = type_in(command, tmp_path)
            assert agrees(said, printed), (command, printed)


@pytest.mark.parametrize(("language", "number"), ALL)
def test_minutes_add_up_with_programs_and_without(language, number):
    meeting = MEETINGS[language][number]
    table = course.timetable(meeting)
    for part, start, end, _, _ in table:
        assert end - start == slides.number(part.title), part.title
    assert table[-1][2] == course.MINUTES
    assert [part.instead for part in meeting.parts].count(True) == (number == 2)
    for part, before in zip(meeting.parts[1:], meeting.parts):
        assert not part.instead or slides.number(part.title) == slides.number(before.title)
    assert table[-1][4] == 1 + len(meeting.slides)


def test_a_slide_has_one_idea_and_says_how_long_it_takes():
    for slide in SLIDES:
        prose = " ".join([slide.title, *(block.text for block in slide.shown if block.kind != "fence")])
        assert len(WORD.findall(prose)) <= 40, slide.title
        assert 2 <= slide.minutes <= 12
        for block in slide.shown:
            lines = FENCE.sub("", block.text).splitlines()
            assert len(lines) <= 12 or block.kind != "fence", slide.title
            assert max(map(len, lines)) <= 78 or not block.text.startswith("```python"), slide.title


def test_an_answer_comes_after_its_question():
    for slide in SLIDES:
        answers = [at for at, block in enumerate(slide.shown) if is_output(block)]
        assert not answers or 0 < slide.asked <= answers[0], slide.title
        assert slide.asked < len(slide.shown) or not slide.asked, slide.title
    deck = slides.deck(MEETINGS["en"][0], "en")
    assert re.search(r"which way should .*?</p>\s*<div class='fragment'><p>Down\.", deck)
    assert "<aside class='notes'><blockquote>" in deck
    assert not re.search(r'(?:src|href)="https?:', deck)


@pytest.mark.parametrize(("language", "number"), ALL)
def test_a_handout_has_every_question_and_no_answer_and_the_key_has_both(language, number):
    meeting = MEETINGS[language][number]
    sheet, key = (slides.handout(meeting, language, key=key) for key in (False, True))
    asked = [slide for slide in meeting.slides if slide.asked]
    given = "".join(
        block.text for slide in asked for block in slide.shown[: slide.asked] if block.kind != "fence"
    )
    assert sheet.count("class='room'") == key.count("class='answer'") == len(asked) >= 10
    assert "<img" not in sheet
    for slide in asked:
        for block in slide.shown[slide.asked :]:
            answer = slides.html(block)
            assert answer in key
            assert answer not in sheet
            for line in block.text.splitlines()[2:-1] if is_output(block) else ():
                assert line.startswith("minipaddle: ran") or line not in given, line


def test_chinese_slides_ask_what_the_english_ones_ask_with_the_same_code():
    for english, chinese in zip(*MEETINGS.values()):
        assert len(english.parts) == len(chinese.parts)
        for one, other in zip(english.slides, chinese.slides):
            assert (one.minutes, one.asked) == (other.minutes, other.asked), other.title
            assert [b.text for b in one.blocks if b.kind == "fence"] == [
                b.text for b in other.blocks if b.kind == "fence"
            ]
            assert one.title != other.title


def test_the_plan_names_tasks_that_are_there_and_the_page_of_the_course_says_the_same():
    text = "".join(page.read_text(encoding="utf-8") for page in pages())
    named = set(re.findall(r"`(\d\d/\w+)`", text))
    assert named <= {f"{task.lesson:02}/{task.stem}" for task in tasks()}
    assert {f"21/task{number}" for number in "1234"} == {one[:8] for one in named if one.startswith("21/")}
    assert len(scripts()["tape.py"].splitlines()) < 30
    for meeting in MEETINGS["en"]:
        (row,) = re.findall(
            rf"^\| \[{meeting.title}\]\(course/{meeting.stem}\.md\) \| (.*?) \|", COURSE_PAGE, re.MULTILINE
        )
        minutes = [slides.number(part.title) for part in meeting.parts if not part.instead]
        assert [int(one) for one in re.findall(r" (\d+)", row)] == minutes
        assert slides.inline(meeting.title) in course.plan(MEETINGS["en"], "en")
