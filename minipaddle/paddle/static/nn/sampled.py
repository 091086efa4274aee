"""static.nn.nce: a choice between very many classes, told from a few others by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array
from minipaddle.ops.loss import sampled
from minipaddle.paddle.nn.initializer import Assign
from minipaddle.paddle.nn.parameter.create import make_parameter
from minipaddle.paddle.static.build import check_variable, layer
from minipaddle.paddle.static.nn.common import NewLayer
from minipaddle.paddle.static.program import Variable

_SAMPLERS = {"uniform": sampled.UNIFORM, "log_uniform": sampled.LOG_UNIFORM, "custom_dist": sampled.CUSTOM}


def alias_table(chances: Sequence[float]) -> tuple[Array, Array]:
    """Return, for each class, another one (-1: none), and the part of its share that is its own (Walker 1977).

    A class is drawn evenly, then one of the two: so each comes as often as `chances` say.
    """
    own, other = np.zeros(len(chances)), np.full(len(chances), -1, np.int32)
    shares = {number: chance * len(chances) for number, chance in enumerate(chances)}
    large = [number for number, share in shares.items() if share > 1]
    small = [number for number, share in shares.items() if share < 1]
    while large and small:
        giver, taker = large.pop(0), small.pop(0)
        own[taker], other[taker] = shares.pop(taker), giver
        shares[giver] -= 1 - own[taker]
        if shares[giver] != 1:
            (large if shares[giver] > 1 else small).append(giver)
    for number in shares:
        own[number] = 1.0
    return other, own.astype("float32")


def nce(
    input: Any,
    label: Any,
    num_total_classes: int,
    sample_weight: Any = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    num_neg_samples: int | None = None,
    name: str | None = None,
    sampler: str = "uniform",
    custom_dist: Sequence[float] | None = None,
    seed: int = 0,
    is_sparse: bool = False,
) -> Variable:
    """Make a layer that tells the true class from a few others by chance (noise-contrastive estimation); [N, 1].

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/nn/nce_en.html)

    Args:
        input: features [N, D].
        label: true classes, int64 [N, T].
        num_total_classes: how many classes there are.
        sample_weight: a factor for each row, [N, 1].
        param_attr: a ``ParamAttr`` of the weight [classes, D].
        bias_attr: a ``ParamAttr`` of the bias [classes, 1]; False: none.
        num_neg_samples: how many others; by default 10. The cost is divided by one more.
        name: beginning of the names.
        sampler: how others are drawn: "uniform", "log_uniform" (by their number: the frequent ones first), or
            "custom_dist".
        custom_dist: for that, the chance of each class.
        seed: 0: the global stream; else the same in every run.
        is_sparse: accepted; gradients are dense.

    Raises:
        AssertionError: "custom_dist" without **custom_dist**.
        TypeError: **input** or **label** is no such Variable.
        ValueError: **Unsupported sampler type**.
    """
    new = NewLayer("nce", input, name)
    check_variable(label, "label", "nce", "i")
    if sampler not in _SAMPLERS:
        raise failure(
            ValueError, f"Unsupported sampler type: {sampler!r}. It should be one of {list(_SAMPLERS)}."
        )
    weight = new.parameter([num_total_classes, new.x.shape[1]], param_attr)
    bias = new.parameter([num_total_classes, 1], bias_attr, is_bias=True)
    custom: list[Any] = [None, None, None]
    if sampler == "custom_dist":
        assert custom_dist is not None, "custom_dist must be given for sampler 'custom_dist'"
        tables = (np.array(custom_dist, "float32"), *alias_table(custom_dist))
        custom = [_constant(new.name, table) for table in tables]
    negatives = 10 if num_neg_samples is None else int(num_neg_samples)
    with layer(new.name):
        cost, _, _ = sampled.nce(
            new.x, label, weight, bias, sample_weight, *custom, num_total_classes=int(num_total_classes),
            num_neg_samples=negatives, seed=seed, sampler=_SAMPLERS[sampler], is_sparse=is_sparse,
        )  # fmt: skip
    found: Variable = cost / (negatives + 1)
    return found


def _constant(owner: str, values: Array) -> Any:
    """Make a parameter that is never trained."""
    made = make_parameter(lambda: owner, values.shape, None, values.dtype, False, Assign(values))
    made.stop_gradient = True
    return made
