"""A run as a list of events, for the pictures and the debugger. Read next: ``events``."""

from minipaddle.tools.record.checked import BadRecording
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.file import load, save
from minipaddle.tools.record.sources.eager.recorder import Recorder

__all__ = ["BadRecording", "Event", "Recorder", "Trace", "Value", "load", "save"]
