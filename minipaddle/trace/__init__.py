"""A run as a list of events: what the pictures and the debugger read."""

from minipaddle.trace.events import Event, Trace, Value
from minipaddle.trace.file import BadRecording, load, save
from minipaddle.trace.recorder import Recorder

__all__ = ["BadRecording", "Event", "Recorder", "Trace", "Value", "load", "save"]
