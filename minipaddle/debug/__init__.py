"""The step-through debugger: a cursor on a recording, and what can be asked there."""

from minipaddle.debug.api import Run, record, step
from minipaddle.debug.cursor import NoMove
from minipaddle.debug.prompt import Prompt
from minipaddle.debug.session import Session

__all__ = ["NoMove", "Prompt", "Run", "Session", "record", "step"]
