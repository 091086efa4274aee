"""The course: lessons and tasks found, a student's file run in a process of its own, its answers judged here.

A student's process only computes; what is right is known to this side alone. Read first:
:mod:`minipaddle.tools.course.claims`, what a teacher writes, then :mod:`minipaddle.tools.course.grading`.

>>> from minipaddle.tools.course.lessons import lessons
>>> lessons()[2].title
'A gradient of your own'
"""

from minipaddle.tools.course.lessons import Lesson, Task, lessons, tasks

__all__ = ["Lesson", "Task", "lessons", "tasks"]
