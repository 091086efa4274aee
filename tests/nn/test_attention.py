"""Attention, alone and in a transformer."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import nn
from minipaddle.paddle.nn import functional as F

RNG = np.random.default_rng(6)


def data(*shape):
    return paddle.to_tensor(RNG.uniform(-1, 1, shape))


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attend(q, k, v, mask=0.0):
    """[batch, length, heads, d], as in the definition."""
    q, k, v = (x.transpose(0, 2, 1, 3) for x in (q, k, v))
    weights = softmax(q @ k.swapaxes(2, 3) / np.sqrt(q.shape[-1]) + mask)
    return (weights @ v).transpose(0, 2, 1, 3)


def test_scaled_dot_product_attention():
    q, k, v = data(2, 3, 2, 4), data(2, 5, 2, 4), data(2, 5, 2, 4)
    y = F.scaled_dot_product_attention(q, k, v)
    np.testing.assert_allclose(y.numpy(), attend(q.numpy(), k.numpy(), v.numpy()))
    mask = data(2, 1, 3, 5)
    y = F.scaled_dot_product_attention(q, k, v, mask)
    np.testing.assert_allclose(y.numpy(), attend(q.numpy(), k.numpy(), v.numpy(), mask.numpy()))


def test_masks_hide():
    q, k, v = data(1, 4, 1, 2), data(1, 4, 1, 2), data(1, 4, 1, 2)
    back = np.where(np.tril(np.ones((4, 4))), 0, -1e30)
    want = attend(q.numpy(), k.numpy(), v.numpy(), back)
    np.testing.assert_allclose(F.scaled_dot_product_attention(q, k, v, is_causal=True).numpy(), want)
    look = paddle.to_tensor(np.tril(np.ones((4, 4))) > 0)
    np.testing.assert_allclose(F.scaled_dot_product_attention(q, k, v, look).numpy(), want)
    with pytest.raises(ValueError, match="heads"):
        F.scaled_dot_product_attention(data(2, 2), data(2, 2), data(2, 2))


def test_multi_head_attention_is_attention_between_four_linear_maps():
    layer = nn.MultiHeadAttention(6, 2, need_weights=True).to(dtype="float64")
    x, other = data(2, 3, 6), data(2, 5, 6)
    y, weights = layer(x, other, other)

    def heads(linear, value):
        return (value.numpy() @ linear.weight.numpy() + linear.bias.numpy()).reshape(2, -1, 2, 3)

    mixed = attend(heads(layer.q_proj, x), heads(layer.k_proj, other), heads(layer.v_proj, other))
    want = mixed.reshape(2, 3, 6) @ layer.out_proj.weight.numpy() + layer.out_proj.bias.numpy()
    np.testing.assert_allclose(y.numpy(), want)
    assert weights.shape == [2, 2, 3, 5]
    np.testing.assert_allclose(weights.numpy().sum(-1), 1)
    with pytest.raises(AssertionError, match="divisible by num_heads"):
        nn.MultiHeadAttention(5, 2)


@pytest.mark.parametrize("before", [False, True])
def test_encoder_layer_shortcuts_and_norms(before):
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, normalize_before=before).to(dtype="float64")
    x = data(2, 3, 4)
    inner = layer.norm1(x) if before else x
    y = x + layer.self_attn(inner)
    y = y if before else layer.norm1(y)
    inner = layer.norm2(y) if before else y
    y = y + layer.linear2(F.relu(layer.linear1(inner)))
    y = y if before else layer.norm2(y)
    np.testing.assert_allclose(layer(x).numpy(), y.numpy())


def test_encoder_has_layers_of_their_own():
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 3, nn.LayerNorm(4))
    assert len(encoder.parameters()) == 3 * 16 + 2
    assert len({id(p) for p in encoder.parameters()}) == 50
    x = paddle.to_tensor(RNG.uniform(-1, 1, (2, 3, 4)).astype("float32"))
    encoder(x).sum().backward()
    assert all(p.grad is not None for p in encoder.parameters())
    assert encoder.eval()(x).tolist() == encoder(x).tolist()
