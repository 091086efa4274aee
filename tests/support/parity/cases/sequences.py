"""Edit distance, the tree of beams, sampled class centers, attention by its other names."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, derive, frozen, raises

cases = Family("sequences")
F = paddle.nn.functional
edit_distance = F.loss.edit_distance
HYPS = np.array([[1, 2, 3], [4, 5, 6], [4, 4, 4], [1, 1, 1], [3, 1, 1]])
REFS = np.array([[1, 3, 4, 1], [4, 5, 8, 1], [7, 7, 7, 1], [1, 1, 1, 1], [1, 3, 1, 2]])


def distances(lengths, others, **options):
    """What edit_distance gives for so many of each row."""
    given = {"input_length": frozen(np.array(lengths)), "label_length": frozen(np.array(others))}
    return edit_distance(frozen(HYPS), frozen(REFS), **given, **options)


cases.add("edit_distance", distances, [3, 3, 3, 3, 3], [4, 4, 4, 4, 4])


@cases
def edit_distance_counted():
    return [
        distances([3, 2, 1, 0, 3], [4, 3, 2, 1, 4], normalized=False),
        distances([3, 2, 1, 0, 0], [1, 1, 2, 1, 4]),
        distances([0, 2, 0, 1, 3], [0, 0, 2, 1, 2], normalized=False),
    ]


@cases
def edit_distance_refused():
    return [
        raises(lambda: distances([3] * 5, [4] * 5, ignored_tokens=[1]), "Expected ignored_tokens is None"),
        raises(lambda: distances([3] * 5, [4, 4, 0, 4, 4]), "is empty"),
        raises(lambda: edit_distance(frozen(HYPS), frozen(REFS)), "2nd dimension equal to 1"),
    ]


@cases
def gather_tree():
    rng = np.random.RandomState(3)
    ids, parents = rng.randint(0, 50, (5, 3, 4)), rng.randint(0, 4, (5, 3, 4))
    small = frozen(ids, "int32"), frozen(parents, "int32")
    return [
        F.gather_tree(frozen(ids), frozen(parents)),
        F.gather_tree(*small),
        F.gather_tree(frozen(ids[:1]), frozen(parents[:1])),
        raises(lambda: F.gather_tree(frozen(ids[0]), frozen(parents[0])), "must be a 3D tensor"),
        raises(lambda: F.gather_tree(frozen(ids), frozen(parents[:2])), "must be same with"),
        raises(lambda: F.gather_tree(frozen(ids), frozen(parents + 3)), "must be less than beam size"),
        raises(lambda: F.gather_tree(frozen(ids * 1.0), frozen(parents))),
    ]


@cases
def class_center_sample():
    labels = [[11, 5, 1, 3, 12, 2, 15, 19, 18, 19], [3, 5, 1], [0, 0, 0, 7]]
    found = [
        F.class_center_sample(frozen(np.array(one)), 20, count) for one in labels for count in (2, 6, 12)
    ]
    found.append(F.class_center_sample(frozen(np.array([1, 2]), "int32"), 5, 5, group=False))
    known = [*(len(set(one)) for one in labels for _ in range(3)), 2]
    label = frozen(np.array([3, 5, 7]))
    return [
        [  # the rest of the classes is drawn, in Paddle anew in every process
            [remapped, sampled[:count], sampled.shape, len(set(sampled.tolist()))]
            for (remapped, sampled), count in zip(found, known, strict=True)
        ],
        raises(lambda: F.class_center_sample(label, 8, 9), "Expected num_samples less than or equal to 8"),
        raises(lambda: F.class_center_sample(label.reshape([3, 1]), 8, 4), "Expected label_dims == 1"),
        raises(lambda: F.class_center_sample(label[:0], 8, 4), "Expected label_size > 0"),
        raises(lambda: F.class_center_sample(label, 8, 4, group=3), "Expected group is False, None"),
        raises(lambda: F.class_center_sample(label * 1.0, 8, 4)),
    ]


q, k, v = (data(2, 4, 2, 3, seed=seed).astype("float32") for seed in (1, 2, 3))
attention = F.flash_attention
CALLS = {
    "flash_attention": lambda: derive(lambda *x: attention.flash_attention(*x)[0], q, k, v),
    "flash_attention causal": lambda: derive(
        lambda *x: attention.flash_attention(*x, causal=True)[0], q, k, v
    ),
    "flash_attention weights": lambda: attention.flash_attention(
        *map(frozen, (q, k, v)), return_softmax=True
    ),
    "flash_attention not training": lambda: attention.flash_attention(
        *map(frozen, (q, k, v)), 0.5, training=False
    ),
    "flash_attn_qkvpacked": lambda: F.flash_attn_qkvpacked(
        frozen(data(2, 4, 3, 2, 3).astype("float32")), causal=True
    ),
    "scaled_dot_product_attention": lambda: derive(lambda *x: F.scaled_dot_product_attention(*x), q, k, v),
    "scaled_dot_product_attention of one": lambda: derive(
        lambda *x: F.scaled_dot_product_attention(*x, is_causal=True), q[0], k[0], v[0]
    ),
    "thresholded_relu": lambda: derive(lambda x: F.thresholded_relu(x, 0.5, 0.25), data(3, 4)),
    "thresholded_relu of integers": lambda: F.thresholded_relu(
        frozen(np.array([0.5, 2.0, 3.0]), "float32"), 2.0
    ),
    "thresholded_relu_": lambda: [x := frozen(data(3, 4)), F.thresholded_relu_(x, 0.1, 3.0), x],
}
for text, call in CALLS.items():
    cases.add(text, call)
