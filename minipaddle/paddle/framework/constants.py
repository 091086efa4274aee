"""Numbers and data types by their other names: ``paddle.pi``, ``paddle.inf``, ``paddle.half``, ``paddle.long``."""

import math

from minipaddle.engine.value.dtype import DTYPES

inf, nan, pi, e, newaxis = math.inf, math.nan, math.pi, math.e, None

half, float, double = DTYPES["float16"], DTYPES["float32"], DTYPES["float64"]
short, int, long = DTYPES["int16"], DTYPES["int32"], DTYPES["int64"]
cfloat, cdouble = DTYPES["complex64"], DTYPES["complex128"]
