"""Sums of products said by letters."""

import paddle

from tests.support.parity.kit import Family, data

cases = Family("einsum")

EQUATIONS = [
    ("ij,jk->ik", (2, 3), (3, 4)),
    ("ij,jk", (2, 3), (3, 4)),
    ("i j , j k -> k i", (2, 3), (3, 4)),
    ("ba", (2, 3)),
    ("ij->", (2, 3)),
    ("ij->j", (2, 3)),
    ("ii->i", (3, 3)),
    ("ii", (3, 3)),
    ("i,j", (3,), (2,)),
    ("i,i->", (3,), (3,)),
    ("ij,ij->ij", (2, 3), (2, 3)),
    ("ij,ij->ij", (2, 1), (2, 3)),
    ("bij,bjk->bik", (2, 3, 4), (2, 4, 2)),
    ("bhqd,bhkd->bhqk", (2, 2, 3, 4), (2, 2, 5, 4)),
    ("ijk,ij", (2, 3, 4), (2, 3)),
    ("...ij,jk", (5, 2, 3), (3, 4)),
    ("...i,...i->...", (5, 2, 3), (2, 3)),
    ("...ij,...jk->...ik", (1, 5, 3), (2, 3, 4)),
    ("i...->...", (5, 2, 3)),
    ("...i->i...", (5, 2, 3)),
    ("...,...", (2, 3), (1, 3)),
    ("IJ,Jk->Ik", (2, 3), (3, 4)),
    ("ij,jk,kl->il", (2, 3), (3, 4), (4, 2)),
    ("ijk,jl,kl->il", (2, 3, 4), (3, 2), (4, 2)),
    ("ij,ij,ij->i", (2, 3), (2, 3), (2, 3)),
]
for equation, *shapes in EQUATIONS:
    arrays = [data(*shape, seed=1 + place) for place, shape in enumerate(shapes)]
    name = f"{equation} {' '.join(str(list(shape)) for shape in shapes)}"
    cases.gradients(name, lambda *inputs, text=equation: paddle.einsum(text, *inputs), *arrays, single=True)
