"""Sums of products said by letters."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen, raises

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


def of_complex_numbers():
    x, y = (frozen(data(2, 3, seed=k) + 1j * data(2, 3, seed=k + 1)) for k in (1, 3))
    out = paddle.einsum("ij,kj->ik", x, y)
    return [out.numpy().real, out.numpy().imag]


def bad(equation, *shapes):
    operands = [frozen(np.ones(shape)) for shape in shapes]
    return lambda: paddle.einsum(equation, *operands)


def refused():
    return {
        "no operand": raises(bad(""), "Required at least one operand"),
        "too many": raises(bad("ij", (2, 3), (3, 4)), "number of operands is 2", "found 1 segments"),
        "too few": raises(bad("ij,jk->ik", (2, 3)), "number of operands is 1", "found 2 segments"),
        "unknown": raises(bad("ij,jk->il", (2, 3), (3, 4)), "Must in all_labels"),
        "misses": raises(bad("i,j->ij", (2, 3), (3,)), "misses dimensions"),
        "too many letters": raises(bad("ijk", (2, 3)), "misses dimensions"),
        "sizes": raises(bad("ij,ij", (2, 3), (3, 4)), "Same label have different shapes", "`i`"),
        "diagonal": raises(bad("ii", (2, 3)), "Same label have different shapes"),
        "a dot": raises(bad("i.j->ij", (2, 3)), "outside of an ellipsis"),
        "dots lost": raises(bad("...ij->ij", (5, 2, 3)), "missing ellipsis"),
        "a sign": raises(bad("i$->i", (2, 3)), "$ is not a valid label"),
        "a digit": raises(bad("i1->i", (2, 3)), "not a valid label"),
        "arrows": raises(bad("ij->ji->ij", (2, 3)), "multiple `->`"),
    }
