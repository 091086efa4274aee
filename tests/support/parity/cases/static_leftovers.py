"""What was left: arithmetic of another Program's Variables, fc of the last axis."""

from tests.support.parity.kit import Family

cases = Family("static_leftovers")
