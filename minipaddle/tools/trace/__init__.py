"""A run as a list of events: what the pictures and the debugger read."""

from minipaddle.tools.trace.checked import BadRecording
from minipaddle.tools.trace.events import Event, Trace, Value
from minipaddle.tools.trace.file import load, save
from minipaddle.tools.trace.sources.eager.recorder import Recorder

__all__ = ["BadRecording", "Event", "Recorder", "Trace", "Value", "load", "save"]
