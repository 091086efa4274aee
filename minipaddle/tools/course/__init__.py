"""The course: lessons and tasks found, a student's file run in a process of its own, its answers judged here.

A student's process only computes; what is right is known to this side alone. Read first:
:mod:`minipaddle.tools.course.claims`, what a teacher writes, then :mod:`minipaddle.tools.course.grading`.

>>> from minipaddle.tools.course.lessons import lessons
>>> lessons()[2].title
'A gradient of your own'
"""

from typing import TYPE_CHECKING, Any

from minipaddle.tools.course.lessons import Lesson, lessons
from minipaddle.tools.course.tasks import Task, tasks

if TYPE_CHECKING:
    from minipaddle.tools.course.grading import Grade, grade

__all__ = ["Grade", "Lesson", "Task", "grade", "lessons", "tasks"]


def __getattr__(name: str) -> Any:
    """Load the grading when a file is graded: a student's process, which starts often, never grades."""
    if name in ("Grade", "grade"):
        from minipaddle.tools.course import grading

        return getattr(grading, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
