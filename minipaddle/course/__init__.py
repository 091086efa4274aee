"""The course: lessons and tasks found, a student's file run in a process of its own, its answers judged here.

A student's process only computes; what is right is known to this side alone. Read first:
:mod:`minipaddle.course.claims`, what a teacher writes, then :mod:`minipaddle.course.grading`.

>>> from minipaddle.course.lessons import lessons
>>> lessons()[2].title
'A gradient of your own'
"""

from minipaddle.course.grading import Grade, grade
from minipaddle.course.lessons import Lesson, lessons
from minipaddle.course.tasks import Task, tasks

__all__ = ["Grade", "Lesson", "Task", "grade", "lessons", "tasks"]
