"""What Variables are called by, and what a run returns."""

from tests.support.parity.kit import Family

cases = Family("static_attributes")
