"""What random programs found: refusals that we did not make, and in another order."""

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
