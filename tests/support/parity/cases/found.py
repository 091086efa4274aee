"""What random programs found: refusals, in order; norms, hooks, writes; where we differ on purpose."""

from tests.support.parity.kit import Family, frozen, raises

cases = Family("found")

ALONG = cases.table("along", globals())
for text, function in ALONG.items():
    cases.add(
        f"axes of a 0-D tensor {text}",
        lambda function: [
            *(function(frozen(2.0), axis) for axis in (0, -1)),
            *(raises(lambda axis=axis: function(frozen(2.0), axis)) for axis in (1, 9, -2)),
        ],
        function,
    )
