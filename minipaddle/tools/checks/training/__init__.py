"""The training loop seen over several steps: a timeline, and the mistakes that no single step shows."""

from minipaddle.tools.checks.training.timeline import Timeline, timeline, timeline_lines, timeline_object

__all__ = ["Timeline", "timeline", "timeline_lines", "timeline_object"]
