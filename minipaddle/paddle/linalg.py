"""``paddle.linalg``: what is known of matrices. Each name is loaded when it is asked for.

The numbers are LAPACK's, by way of NumPy and SciPy; the gradients are written over operators, so they have gradients in
their turn (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/Overview_en.html).
"""

from __future__ import annotations

from minipaddle.engine.core.later import front

__getattr__ = front(
    globals(),
    {
        "linalg.cholesky": "cholesky cholesky_inverse cholesky_solve triangular_solve",
        "linalg.eigen": "eig eigh eigvals eigvalsh",
        "linalg.inverse": "det inv slogdet solve",
        "linalg.least_squares": "lstsq",
        "linalg.lu": "lu lu_solve lu_unpack",
        "linalg.matmul": "matmul",
        "linalg.matrix": "matrix_transpose",
        "linalg.power": "matrix_exp matrix_power multi_dot",
        "linalg.qr": "householder_product ormqr qr",
        "linalg.svd": "cond matrix_rank pca_lowrank pinv svd svd_lowrank svdvals",
        "linalg.vectors": "cross vecdot",
        "manipulation.diagonal": "diagonal",
        "stat.covariance": "corrcoef cov",
        "stat.norm": "matrix_norm norm vector_norm",
    },
    "minipaddle.ops",
)
