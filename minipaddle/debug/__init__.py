"""The step-through debugger: a cursor on a recording, and what can be asked there."""

from minipaddle.debug.prompt import Prompt
from minipaddle.debug.session import NoMove, Session

__all__ = ["NoMove", "Prompt", "Session"]
