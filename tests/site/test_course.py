"""The teaching kit: four meetings that fit into their time, slides that ask first, sheets with questions and tasks."""

import re

import nbformat
import pytest

from docs.site import course, lessons, slides
from docs.site.misconceptions import catalogue

SCRIPTS = {int(path.stem[:2]): path for path in lessons.TUTORIALS.glob("[0-9]*.py")}


def notebook(number, language="en"):
    return lessons.blank(language, SCRIPTS[number])


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("meeting", course.PLAN, ids=lambda meeting: meeting.title)
def test_a_meeting_fits_into_its_time(meeting, language):
    minutes = {number: course.minutes_of(notebook(number, language)) for number in meeting.lessons}
    assert 60 <= course.taken(meeting, minutes) <= course.MINUTES


def test_no_lesson_and_no_misconception_is_met_twice():
    met = [number for meeting in course.PLAN for number in meeting.lessons]
    beliefs = [number for meeting in course.PLAN for number in meeting.beliefs]
    assert len(course.PLAN) == 4
    assert len(met) == len(set(met))
    assert len(beliefs) == len(set(beliefs))
    assert set(beliefs) <= set(range(1, len(catalogue()) + 1))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("number", SCRIPTS)
def test_a_handout_has_goals_questions_tasks_and_a_summary(number, language):
    sheet = course.handout(SCRIPTS[number].stem, notebook(number, language), language)
    assert sheet.count("class='room'") >= 3
    assert re.search("<strong>(Goals|目标)", sheet)
    assert re.search("<strong>(Summary|小结)", sheet)
    assert len(list(course.tasks(SCRIPTS[number].stem, language))) >= 2


def test_the_plan_names_every_lesson_once():
    stems = {path.stem: notebook(number) for number, path in sorted(SCRIPTS.items())}
    page = course.plan(stems, "en")
    assert [page.count(f"{stem}.pdf") for stem in stems] == [1] * len(stems)


def test_slides_show_what_a_cell_prints_after_its_code_and_escape_it():
    made = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_markdown_cell("# T"),
            nbformat.v4.new_markdown_cell("## Part <b>"),
            nbformat.v4.new_code_cell(
                "print(1)", outputs=[nbformat.v4.new_output("stream", text="<script>alert(1)</script>")]
            ),
        ]
    )
    deck = slides.of_lesson("T <x>", made, "en")
    assert "<script>alert" not in deck
    assert "&lt;script&gt;alert(1)" in deck
    assert "<b>" not in deck
    assert deck.count("<section><section>") == 2
    assert deck.index("print") < deck.index("alert(1)")
    assert not re.search(r'(?:src|href)="https?:', deck)


def test_slides_of_beliefs_ask_before_they_answer():
    deck = slides.of_beliefs("What many believe", catalogue(), "en")
    for one in catalogue():
        assert deck.index(one.heading.replace('"', "&quot;")) < deck.index(f'src="{one.picture}"')


def test_slides_of_beliefs_are_in_chinese_with_the_same_code():
    english, chinese = (
        slides.of_beliefs("What many believe", catalogue(), folder) for folder in ("en", "zh")
    )
    for one in catalogue():
        assert one.truth not in chinese
        assert one.guess not in chinese
        assert f'<img src="{one.picture}"' in chinese
    code = re.compile(r'<div class="highlight">.*?</div>', re.DOTALL)
    assert code.findall(chinese) == code.findall(english)
    assert "猜一猜" in chinese
