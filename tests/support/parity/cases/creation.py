"""Making tensors: values, dtypes, shapes."""

from tests.support.parity.kit import Family

cases = Family("creation")

MADE = cases.table("made", globals())
for text, fn in MADE.items():
    cases.add(text, lambda fn=fn: {"made": fn(), "stop_gradient": fn().stop_gradient})
