"""The course: finds lessons and tasks, runs a student's file in a separate process, grades its answers here.

A student's process only computes; the right answers stay on this side. Read first:
:mod:`minipaddle.tools.course.claims`, the interface for teachers, then :mod:`minipaddle.tools.course.grading`.

>>> from minipaddle.tools.course.lessons import lessons
>>> lessons()[2].title
'A gradient of your own'
"""

from minipaddle.tools.course.lessons import Lesson, Task, lessons, tasks

__all__ = ["Lesson", "Task", "lessons", "tasks"]
