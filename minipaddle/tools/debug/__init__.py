"""The step-through debugger: a cursor on a recording, and commands about the event there."""

from minipaddle.tools.debug.api import Run, record, step
from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.debug.living import breakpoint, pm
from minipaddle.tools.debug.prompt import Prompt
from minipaddle.tools.debug.session import Session

__all__ = ["NoMove", "Prompt", "Run", "Session", "breakpoint", "pm", "record", "step"]
