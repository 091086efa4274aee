"""What a learner has solved: a small JSON file in the folder of the tasks."""

import json
from pathlib import Path

from minipaddle.paddle.framework.whole_file import write_whole
from minipaddle.tools.course.tasks import Task

FILE = "progress.json"
_FULL = 100


class Progress:
    """The best points of each task so far, kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / FILE
        self.points = _read(self.file)

    def is_solved(self, task: Task) -> bool:
        """Return whether the task once had all its points."""
        return self.points.get(task.name, 0) >= _FULL

    def note(self, task: Task, points: int) -> None:
        """Keep the points of a task, if they are the most there were. Raises OSError: the file cannot be written."""
        if points > self.points.get(task.name, 0):
            self._store({**self.points, task.name: points})

    def forget(self, task: Task) -> None:
        """Forget the points of a task. Raises OSError: the file cannot be written."""
        if task.name in self.points:
            self._store({name: points for name, points in self.points.items() if name != task.name})

    def _store(self, points: dict[str, int]) -> None:
        self.points = points
        write_whole(self.file, f"{json.dumps({'points': points}, indent=1)}\n".encode())


def _read(file: Path) -> dict[str, int]:
    """Return the points that a file tells; none if it is not there, or no progress file."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))["points"]
        return {str(name): int(points) for name, points in told.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
