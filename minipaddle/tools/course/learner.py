"""A learner: the current task, the grade of its file, hints, the list of tasks. The cli shows them."""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from minipaddle.paddle.framework.whole_file import write_whole
from minipaddle.tools.course.claims import FULL
from minipaddle.tools.course.grading import Grade, grade, grader_of
from minipaddle.tools.course.lessons import Sheet, Task
from minipaddle.tools.course.process import AS_USUAL, Limits
from minipaddle.tools.words.language import say


class Learner:
    """Works through tasks in a folder; skeletons are written there when their turn comes."""

    def __init__(self, tasks: Sequence[Task], folder: Path, seed: int, limits: Limits = AS_USUAL) -> None:
        self.tasks, self.folder, self._seed, self._limits = tasks, folder, seed, limits
        self.progress = Progress(folder)
        self.task = self._first_unsolved() or tasks[-1]
        self._hints = 0
        self._seen: int | None = None
        """The time of the file when it was last looked at."""

    @property
    def file(self) -> Path:
        """The file of the task."""
        return self.folder / self.task.place

    @property
    def is_done(self) -> bool:
        """Whether every task is solved."""
        return self._first_unsolved() is None

    def begin(self) -> bool:
        """Write the skeleton, unless the file is there; return whether it was written. Raises OSError."""
        written = write_sheet(self.task, self.folder)
        if written:
            self._seen = self._time()  # there is nothing to look at yet
        return written

    def was_saved(self) -> bool:
        """Return whether the file was saved since it was last graded."""
        return self._time() not in (None, self._seen)

    def look(self) -> Grade:
        """Return the grade of the file, after storing its points. Raises OSError if they cannot be written."""
        self._seen = self._time()
        found = grade(self.task, self.file, self._seed, self._limits)
        self._seed += 1
        self.progress.note(self.task, found.points)
        return found

    def milestones(self) -> list[Sheet]:
        """Return the milestones of the solved task, after writing them to the folder. Raises OSError."""
        for sheet in self.task.milestones:
            write_sheet(sheet, self.folder)
        return list(self.task.milestones)

    def go_on(self) -> bool:
        """Turn to the first task that is not solved; return whether there is one."""
        following = self._first_unsolved()
        if following is not None:
            self.turn_to(following)
        return following is not None

    def skip(self) -> None:
        """Turn to the next task that is not solved, after the last one to the first."""
        here = self.tasks.index(self.task)
        around = [*self.tasks[here + 1 :], *self.tasks[: here + 1]]
        self.turn_to(next((task for task in around if not self.progress.is_solved(task)), self.task))

    def turn_to(self, task: Task) -> None:
        """Turn to a task."""
        self.task, self._hints, self._seen = task, 0, None

    def hint(self) -> str:
        """Return the next hint, more detailed than the one before; after the last one, the last again.

        Raises OSError: that it was read cannot be written down.
        """
        hints = grader_of(self.task).hints
        self._hints = min(self._hints + 1, len(hints))
        self.progress.note(self.task, hints=self._hints)
        said = say("hint {number} of {count}", number=self._hints, count=len(hints))
        return f"{said}: {self.task.said(hints[self._hints - 1])}"

    def reset(self) -> Path | None:
        """Write the skeleton anew and forget the points; return where the old file is kept now, if there was one.

        Raises OSError: it cannot be written.
        """
        kept = None
        if self.file.exists():
            kept = self.file.replace(self.file.with_suffix(".py.old"))
        self.progress.forget(self.task)
        self.turn_to(self.task)
        self.begin()
        return kept

    def rows(self) -> list[tuple[str, ...]]:
        """Return the list of tasks: mark, place, title, points."""
        points = self.progress.points
        return [
            (">" if task is self.task else " ", task.place, task.title, str(points.get(task.name, 0)))
            for task in self.tasks
        ]

    def _first_unsolved(self) -> Task | None:
        return next((task for task in self.tasks if not self.progress.is_solved(task)), None)

    def _time(self) -> int | None:
        with suppress(OSError):
            return self.file.stat().st_mtime_ns
        return None


def write_sheet(sheet: Sheet, folder: Path) -> bool:
    """Write a sheet into a folder, unless its file is there; return whether it was written. Raises OSError."""
    file = folder / sheet.place
    if file.exists():
        return False
    write_whole(file, sheet.text.encode())
    return True


class Progress:
    """The best points of each task so far, and how many of its hints were read, kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "progress.json"
        self.points: dict[str, int] = {}
        self.hints: dict[str, int] = {}
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):  # none, or no progress file
            told = json.loads(self.file.read_text(encoding="utf-8"))
            self.points = {str(name): int(points) for name, points in told["points"].items()}
            self.hints = {str(name): int(count) for name, count in told["hints"].items()}

    def is_solved(self, task: Task) -> bool:
        """Return whether the task once had all its points."""
        return self.points.get(task.name, 0) >= FULL

    def note(self, task: Task, points: int = 0, hints: int = 0) -> None:
        """Store the points of a task, or how many hints were read, if they are the most so far.

        Raises OSError: the file cannot be written.
        """
        for most, number in ((self.points, points), (self.hints, hints)):
            if number > most.get(task.name, 0):
                most[task.name] = number
                self._store()

    def forget(self, task: Task) -> None:
        """Forget the points of a task. Raises OSError: the file cannot be written."""
        if self.points.pop(task.name, None) is not None:
            self._store()

    def _store(self) -> None:
        kept = {"points": self.points, "hints": self.hints}
        write_whole(self.file, f"{json.dumps(kept, indent=1)}\n".encode())
