"""`minipaddle learn`: the first task that is not solved, looked at again whenever its file is saved."""

from __future__ import annotations

import queue
import secrets
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Exit, Option

from minipaddle.tools.cli.commands.grade import Megabytes, Seconds, Tasks
from minipaddle.tools.cli.console import ExitCode, fail, failing_at, print_rows, results
from minipaddle.tools.words.control_characters import visible
from minipaddle.tools.words.language import say

if TYPE_CHECKING:
    from minipaddle.tools.course.learner import Learner

_IN_CHINESE = {"提示": "hint", "列表": "list", "重置": "reset", "下一题": "next", "退出": "quit"}
_GLANCE = 0.5
"""Seconds between two looks at the file's time: a save is answered at once, and the process idles."""


def learn(
    lesson: Annotated[
        str | None, Argument(help="Only the tasks of this lesson: its number or its name.")
    ] = None,
    seconds: Seconds = 10,
    megabytes: Megabytes = 2048,
    tasks: Tasks = None,
    show: Annotated[bool, Option("--open", help="Open the task's file in your editor.")] = False,
) -> None:
    """Work through the tasks, here: each is written into this folder and looked at whenever you save it.

    Type `hint`, `list`, `reset`, `next` or `quit` meanwhile. What is solved is kept in progress.json.
    """
    from minipaddle.tools.course.learner import Learner
    from minipaddle.tools.course.lessons import lesson_called, lessons
    from minipaddle.tools.course.lessons import tasks as tasks_in
    from minipaddle.tools.course.process import Limits

    chosen = tasks_in(tasks)
    if lesson is not None:
        number = int(lesson) if lesson.isdecimal() else lesson_called(lesson, lessons()).number
        chosen = [task for task in chosen if task.lesson == number]
        if not chosen:
            fail("lesson {number} has no tasks", number=number)
    learner = Learner(chosen, Path(), secrets.randbelow(1 << 32), Limits(seconds, megabytes))
    with failing_at(learner.progress.file):
        try:
            _Screen(learner, show).stay()
        except KeyboardInterrupt:
            raise Exit(ExitCode.INTERRUPTED) from None


class _Screen:
    """The learner's terminal: prints lines, and reads words."""

    def __init__(self, learner: Learner, opens: bool) -> None:
        self.learner, self.opens = learner, opens
        self.console = results()
        self.typed: queue.Queue[str | None] = queue.Queue()

    def stay(self) -> None:
        """Look and answer until the learner leaves, or standard input ends."""
        if self.learner.is_done:
            print_rows(self.learner.rows())
            self.say("every task is solved")
            return
        # It waits for a line before anything invites the learner to type: Python 3.11 may crash where it ends while
        # such a thread begins.
        threading.Thread(target=self._listen, daemon=True).start()
        self.introduce()
        while True:
            if self.learner.was_saved():
                self.look()
                if self.learner.is_done:
                    return
            try:
                typed = self.typed.get(timeout=_GLANCE)
            except queue.Empty:
                continue
            if typed is None or typed in ("q", "quit", "exit"):
                return
            self.answer(typed)

    def _listen(self) -> None:
        for line in sys.stdin:
            word = line.strip()
            self.typed.put(_IN_CHINESE.get(word, word))
        self.typed.put(None)

    def say(self, sentence: str, **parts: object) -> None:
        """Write a sentence in the learner's language."""
        self.show(say(sentence, **parts))

    def show(self, text: str, style: str | None = None) -> None:
        """Write lines, folded to the width of the window."""
        self.console.print(visible(text), style=style)

    def introduce(self) -> None:
        """Write the task, and where its file is."""
        task = self.learner.task
        self.learner.begin()
        done = sum(map(self.learner.progress.is_solved, self.learner.tasks))
        self.show("")
        self.say(
            "{done} of {count} tasks solved; lesson {lesson}, task {number}: {title}",
            done=done, count=len(self.learner.tasks), lesson=task.lesson, number=task.number,
            title=task.title,
        )  # fmt: skip
        self.show(task.statement)
        self.say("edit {file} and save it; or type: hint, list, reset, next, quit", file=self.learner.file)
        if self.opens and typer.launch(str(self.learner.file)) != 0:
            self.say("nothing here opens {file}", file=self.learner.file)

    def look(self) -> None:
        """Grade the file; print the mistake, or go on to the next task."""
        found = self.learner.look()
        if found.printed:
            self.show(found.printed.rstrip("\n"))
        if not found.is_full:
            self.show(f"{found.points}/100  {found.hint}")
            return
        self.show(f"100/100  {say('solved')}", style="green")
        for sheet in self.learner.milestones():
            self.say(
                "minipaddle run {file} runs on what you built: {title}", file=sheet.place, title=sheet.title
            )
        if self.learner.go_on():
            self.introduce()
        else:
            self.say("every task is solved")

    def answer(self, word: str) -> None:
        """Carry out a typed word."""
        if word in ("h", "hint"):
            self.show(self.learner.hint())
        elif word in ("l", "list"):
            print_rows(self.learner.rows())
        elif word == "reset":
            kept = self.learner.reset()
            self.introduce()
            if kept is not None:
                self.say("what you had is kept in {file}", file=kept)
        elif word in ("n", "next"):
            self.learner.skip()
            self.introduce()
        elif word:
            self.say("type: hint, list, reset, next, quit")
