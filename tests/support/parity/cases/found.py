"""What random programs found: refusals that we did not make, and in another order."""

import paddle
import paddle.nn.functional as F

from tests.support.parity.kit import Family, frozen, raises

cases = Family("found")

ALONG = {
    "argmax": paddle.argmax,
    "argmin": paddle.argmin,
    "squeeze": paddle.squeeze,
    "cumsum": paddle.cumsum,
    "sort": paddle.sort,
    "argsort": paddle.argsort,
    "softmax": F.softmax,
    "log_softmax": F.log_softmax,
    "topk": lambda x, axis: paddle.topk(x, 1, axis)[0],
}
for text, function in ALONG.items():
    cases.add(
        f"axes of a 0-D tensor {text}",
        lambda function: [
            *(function(frozen(2.0), axis) for axis in (0, -1)),
            *(raises(lambda axis=axis: function(frozen(2.0), axis)) for axis in (1, 9, -2)),
        ],
        function,
    )
