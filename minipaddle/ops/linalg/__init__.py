"""Linear algebra: products of matrices, factorizations, equations."""
