"""``paddle.linalg``: functions of matrices. Each name is loaded on first use.

The numbers are LAPACK's, through NumPy and SciPy; the gradients are written over operators, so they are
differentiable too.
"""

from __future__ import annotations

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(
    globals(),
    {
        "linalg.cholesky": "cholesky qr triangular_solve",
        "linalg.inverse": "det inv slogdet solve",
        "linalg.matmul": "matmul",
        "linalg.product": "cross",
        "linalg.svd": "eigh svd",
        "manipulation.diagonal": "diagonal",
        "stat.norm": "norm",
    },
    "minipaddle.ops",
)
