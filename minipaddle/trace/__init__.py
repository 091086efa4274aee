"""A run as a list of events: what the pictures and the debugger read."""

from minipaddle.trace.checked import BadRecording
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.trace.file import load, save
from minipaddle.trace.sources.eager.recorder import Recorder

__all__ = ["BadRecording", "Event", "Recorder", "Trace", "Value", "load", "save"]
