"""Noise-contrastive estimation: a true class told from a few others by chance, instead of from all (Mnih 2012)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import as_numpy
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Attrs, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.activation.sigmoids import sigmoid
from minipaddle.ops.common.listed import Listing, listed
from minipaddle.ops.indexing.gather import gather_op
from minipaddle.ops.indexing.index import scatter_at
from minipaddle.ops.random import draws
from minipaddle.ops.random.engine import Engine
from minipaddle.ops.random.generator import engine
from minipaddle.ops.reduction.sum import reduce_sum
from minipaddle.ops.views.reshape import reshape2, unsqueeze2

UNIFORM, LOG_UNIFORM, CUSTOM = range(3)
"""What `sampler` may be."""
_FLOAT32 = np.dtype("float32")


def _draw(
    source: Engine, count: int, classes: int, sampler: int, alias: Array | None, alias_probs: Array | None
) -> Array:
    """Return classes by chance, as Paddle's samplers draw them."""
    if sampler == UNIFORM:
        return draws.integers(source, (count,), np.dtype("int64"), 0, classes)
    if sampler == LOG_UNIFORM:
        parts = draws.canonical(source.take(count), np.float64)
        return (np.exp(parts * math.log(classes)).astype("int64") - 1) % (classes - 1)
    found = np.empty(count, np.int64)
    assert alias is not None and alias_probs is not None
    for place in range(count):  # of each class a share is its own, the rest is that of another one
        (one,) = draws.integers(source, (1,), np.dtype("int64"), 0, classes)
        (part,) = draws.canonical(source.take(1), np.float64)
        found[place] = alias[one] if part > alias_probs[one] and alias[one] >= 0 else one
    return found


@operator(
    "expected_negatives",
    "Labels, Probs? -> Out~",
    kinds="iu",
    infer=lambda labels, probs, dtype=_FLOAT32, **attrs: Meta(labels.shape, as_numpy(dtype)),
    example=lambda rng: ([np.array([[1, 4]]), None], {"classes": 6, "sampler": LOG_UNIFORM}),
)
def expected_negatives(
    labels: Array,
    probs: Array | None,
    dtype: Any = _FLOAT32,
    classes: int = 2,
    negatives: int = 1,
    sampler: int = UNIFORM,
) -> Array:
    """Return how often each of `labels` is expected among the negatives."""
    dtype = as_numpy(dtype)
    if sampler == UNIFORM:
        return np.full(labels.shape, negatives / classes, dtype)
    if sampler == LOG_UNIFORM:
        chances = np.log((labels + 2.0) / (labels + 1.0)) / math.log(classes)
        return np.asarray(chances * negatives, dtype)
    assert probs is not None
    return np.asarray(probs[labels] * negatives, dtype)


def _infer(
    input: Meta,
    label: Meta,
    weight: Meta,
    bias: Meta | None,
    sample_weight: Meta | None,
    custom_dist_probs: Meta | None,
    custom_dist_alias: Meta | None,
    custom_dist_alias_probs: Meta | None,
    num_total_classes: int = 2,
    num_neg_samples: int = 10,
    seed: int = 0,
    sampler: int = UNIFORM,
    is_sparse: bool = False,
) -> tuple[Meta, Meta, Meta]:
    """Shape rule: [N, 1]; and a logit and a class for each true and each negative one."""
    if label.ndim != 2:
        raise failure(
            ValueError, f"The label of nce should have the shape [N, true], but it is {list(label.shape)}."
        )
    if label.shape[0] not in (-1, input.shape[0]) and input.shape[0] != -1:
        raise failure(
            ValueError,
            f"The first dimension of Input(Input) and Input(Label) should be equal, but received "
            f"{list(input.shape)} and {list(label.shape)}.",
        )
    shape = (input.shape[0], label.shape[1] + num_neg_samples)
    return Meta((input.shape[0], 1), input.dtype), Meta(shape, input.dtype), Meta(shape, label.dtype)


def _example(rng: np.random.Generator) -> tuple[list[Any], Attrs]:
    arrays = [rng.uniform(-1, 1, shape) for shape in ((2, 3), (6, 3), (6, 1))]
    attrs = {"num_total_classes": 6, "num_neg_samples": 2, "seed": 3}
    return [arrays[0], np.array([[1], [4]]), *arrays[1:], None, None, None, None], attrs


@listed(
    Listing(remote_prefetch=False, is_test=False),
    grad_keeps="SampleLogits, SampleWeight, CustomDistAlias, CustomDistAliasProbs",
)
@operator(
    "nce",
    "Input, Label, Weight, Bias?, SampleWeight?, CustomDistProbs?, CustomDistAlias?, CustomDistAliasProbs? -> "
    "Cost, SampleLogits~, SampleLabels~",
    kinds="f",
    random=lambda attrs: not attrs["seed"],
    infer=_infer,
    example=_example,
    latex=r"-\ln\frac{o_y}{o_y + b_y} - \sum_k \ln\frac{b_k}{o_k + b_k}",
    page="static/nn/nce",
)
def nce(
    input: Array,
    label: Array,
    weight: Array,
    bias: Array | None,
    sample_weight: Array | None,
    custom_dist_probs: Array | None,
    custom_dist_alias: Array | None,
    custom_dist_alias_probs: Array | None,
    num_total_classes: int = 2,
    num_neg_samples: int = 10,
    seed: int = 0,
    sampler: int = UNIFORM,
    is_sparse: bool = False,
) -> tuple[Array, ...]:
    """Return the cost of each row of `input` [N, D] with its true classes `label` [N, T], beside negatives by chance.

    Returns:
        the cost [N, 1]; for true classes and negatives the sigmoid of their logit [N, T + K]; and which they are.
    """
    count = len(label) * num_neg_samples
    made = _draw(engine(seed), count, num_total_classes, sampler, custom_dist_alias, custom_dist_alias_probs)
    labels = np.concatenate([label, made.reshape(len(label), -1).astype(label.dtype)], 1)
    if labels.size and not 0 <= labels.min() <= labels.max() < num_total_classes:
        raise failure(
            ValueError,
            f"label should not be out of bounds: the classes are 0 to {num_total_classes - 1}, but received "
            f"{labels.min()} to {labels.max()}.",
        )
    logits = np.einsum("nd,nkd->nk", input, weight[labels])
    if bias is not None:
        logits = logits + bias.reshape(-1)[labels]
    out = np.asarray(1 / (1 + np.exp(-logits)), input.dtype)
    chance = expected_negatives.kernel(
        labels, custom_dist_probs, input.dtype, num_total_classes, num_neg_samples, sampler
    )
    costs = -np.log(np.where(np.arange(labels.shape[1]) < label.shape[1], out, chance) / (out + chance))
    total = costs.sum(1, keepdims=True)
    if sample_weight is not None:
        total = total * sample_weight.reshape(-1, 1)
    return total.astype(input.dtype), out, labels


def _pull(
    dy: Any, input: Any, label: Any, weight: Any, bias: Any, sample_weight: Any, probs: Any, labels: Any,
    classes: int, negatives: int, sampler: int,
) -> list[tuple[Any, Any, Any]]:  # fmt: skip
    """Return gradients of logits, whose they are, and their rows of the weight: of all, and of true ones besides.

    With the sigmoid ``o`` and the chance ``b``, ``-ln(b / (o + b))`` has the derivative ``n = o (1 - o) / (o + b)``,
    and that of ``-ln(o / (o + b))`` is ``n - (1 - o)``.
    """
    dy = dy if sample_weight is None else dy * reshape2(sample_weight, (-1, 1))
    chance = expected_negatives(labels, probs, input.dtype, classes, negatives, sampler)
    out, rows = _sigmoids(input, labels, weight, bias)
    right, own = _sigmoids(input, label, weight, bias)
    return [(dy * out * (1 - out) / (out + chance), labels, rows), (dy * (right - 1), label, own)]


def _sigmoids(input: Any, labels: Any, weight: Any, bias: Any) -> tuple[Any, Any]:
    """Return the sigmoids of the logits of classes [N, K], and their rows of the weight [N, K, D]."""
    flat = reshape2(labels, (-1,))
    rows = reshape2(gather_op(weight, flat), (-1, labels.shape[1], weight.shape[1]))
    logits = reduce_sum(rows * unsqueeze2(input, (1,)), (2,), False)
    if bias is not None:
        logits = logits + reshape2(gather_op(reshape2(bias, (-1,)), flat), (-1, labels.shape[1]))
    return sigmoid(logits), rows


def _to_input(part: Any) -> Any:
    amount, _, rows = part
    return reduce_sum(unsqueeze2(amount, (2,)) * rows, (1,), False)


def _to_weight(part: Any, input: Any, shape: Shape) -> Any:
    amount, labels, _ = part
    return scatter_at(unsqueeze2(amount, (2,)) * unsqueeze2(input, (1,)), [labels], "@", shape)


def _to_bias(part: Any, shape: Shape) -> Any:
    amount, labels, _ = part
    return reshape2(scatter_at(amount, [labels], "@", shape[:1]), shape)


@nce.gradient("input")
def _(
    dy: Value, input: Value, label: Value, weight: Value, bias: Value | None, sample_weight: Value | None,
    custom_dist_probs: Value | None, samplelabels: Value, num_total_classes: int, num_neg_samples: int, sampler: int,
) -> Value:  # fmt: skip
    all, true = _pull(
        dy, input, label, weight, bias, sample_weight, custom_dist_probs, samplelabels, num_total_classes,
        num_neg_samples, sampler,
    )  # fmt: skip
    return _to_input(all) + _to_input(true)


@nce.gradient("weight")
def _(
    dy: Value, input: Value, label: Value, weight: Value, bias: Value | None, sample_weight: Value | None,
    custom_dist_probs: Value | None, samplelabels: Value, num_total_classes: int, num_neg_samples: int, sampler: int,
    weight_shape: Shape,
) -> Value:  # fmt: skip
    all, true = _pull(
        dy, input, label, weight, bias, sample_weight, custom_dist_probs, samplelabels, num_total_classes,
        num_neg_samples, sampler,
    )  # fmt: skip
    return _to_weight(all, input, weight_shape) + _to_weight(true, input, weight_shape)


@nce.gradient("bias")
def _(
    dy: Value, input: Value, label: Value, weight: Value, bias: Value, sample_weight: Value | None,
    custom_dist_probs: Value | None, samplelabels: Value, num_total_classes: int, num_neg_samples: int, sampler: int,
    bias_shape: Shape,
) -> Value:  # fmt: skip
    all, true = _pull(
        dy, input, label, weight, bias, sample_weight, custom_dist_probs, samplelabels, num_total_classes,
        num_neg_samples, sampler,
    )  # fmt: skip
    return _to_bias(all, bias_shape) + _to_bias(true, bias_shape)
