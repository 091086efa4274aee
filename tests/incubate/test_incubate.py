"""What recordings of Paddle cannot say of paddle.incubate: its fused kernels do not run on a CPU, its pruning fails."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import incubate, nn

F = incubate.nn.functional


@pytest.fixture
def words():
    return paddle.to_tensor(np.random.default_rng(1).normal(size=(2, 3, 8)).astype("float32"))


@pytest.mark.parametrize("before", [False, True])
def test_a_fused_layer_is_the_encoder_layer(words, before):
    fused = incubate.nn.FusedTransformerEncoderLayer(8, 2, 16, 0.0, normalize_before=before)
    plain = nn.TransformerEncoderLayer(8, 2, 16, 0.0, normalize_before=before)
    attention, feed = fused.fused_attn, fused.ffn
    projections = [plain.self_attn.q_proj, plain.self_attn.k_proj, plain.self_attn.v_proj]
    for number, projection in enumerate(projections):
        projection.weight.set_value(attention.qkv_weight[number].reshape([8, 8]).t())
        projection.bias.set_value(attention.qkv_bias[number].reshape([8]))
    plain.self_attn.out_proj.weight.set_value(attention.linear_weight)
    plain.linear1.weight.set_value(feed._linear1_weight)
    plain.linear2.weight.set_value(feed._linear2_weight)
    mask = paddle.to_tensor(np.triu(np.full((3, 3), -1e9, "float32"), 1))
    np.testing.assert_allclose(fused(words, mask).numpy(), plain(words, mask).numpy(), rtol=1e-4, atol=1e-5)


def test_weights_of_one_linear_layer_are_the_same_attention(words):
    layer = incubate.nn.FusedMultiHeadAttention(8, 2, 0.0, 0.0)
    flat = layer.qkv_weight.reshape([24, 8]).t()
    options = {"num_heads": 2, "transpose_qkv_wb": True, "training": False}
    found = F.fused_multi_head_attention(words, flat, layer.linear_weight, **options)
    np.testing.assert_allclose(found.numpy(), layer(words).numpy(), rtol=1e-4, atol=1e-5)


def test_a_cache_stands_for_the_words_before(words):
    layer = incubate.nn.FusedMultiHeadAttention(8, 2, 0.0, 0.0)
    whole, cache = layer(words, cache=paddle.zeros([2, 2, 2, 0, 4]))
    last, grown = layer(words[:, 2:], cache=cache[:, :, :, :2])
    np.testing.assert_allclose(last.numpy(), whole[:, 2:].numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(grown.numpy(), cache.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("neighbours", [True, False])
def test_pairs_are_turned_by_their_places(neighbours):
    numbers = np.random.default_rng(1).normal(size=(1, 3, 2, 4))
    (turned, nothing, _) = F.fused_rotary_position_embedding(
        paddle.to_tensor(numbers), use_neox_rotary_style=neighbours
    )
    places = [slice(0, None, 2), slice(1, None, 2)] if neighbours else [slice(0, 2), slice(2, 4)]
    pairs, found = (array[..., places[0]] + 1j * array[..., places[1]] for array in (numbers, turned.numpy()))
    angles = np.arange(3)[:, None] * 10000.0 ** -np.array([0.0, 0.5])
    np.testing.assert_allclose(found, pairs * np.exp(1j * angles)[None, :, None], atol=1e-12)
    assert nothing is None
    with pytest.raises(ValueError, match="width should be even"):
        F.fused_rotary_position_embedding(paddle.ones([1, 2, 1, 3]))


def test_places_can_be_given_and_time_can_come_first():
    numbers = paddle.to_tensor(np.random.default_rng(1).normal(size=(1, 3, 2, 4)).astype("float32"))
    (plain, _, _) = F.fused_rotary_position_embedding(numbers)
    (again, _, _) = F.fused_rotary_position_embedding(numbers, position_ids=paddle.to_tensor([[0, 1, 2]]))
    (major, _, _) = F.fused_rotary_position_embedding(numbers.transpose([1, 0, 2, 3]), time_major=True)
    np.testing.assert_array_equal(plain.numpy(), again.numpy())
    np.testing.assert_array_equal(plain.numpy(), major.transpose([1, 0, 2, 3]).numpy())


def test_products_with_something_behind():
    x, w, b = paddle.to_tensor([[1.0, -2.0]]), paddle.to_tensor([[1.0], [1.0]]), paddle.to_tensor([0.5])
    assert F.fused_linear(x, w, b).tolist() == [[-0.5]]
    assert F.fused_linear(x, w.t(), b, transpose_weight=True).tolist() == [[-0.5]]
    assert F.fused_linear_activation(x, w, b, activation="relu").tolist() == [[0.0]]
    assert F.fused_bias_act(x, act_method="relu").tolist() == [[1.0, 0.0]]
    with pytest.raises(ValueError, match="should be one of"):
        F.fused_linear_activation(x, w, b, activation="sinus")
    with pytest.raises(ValueError, match="8 bits"):
        F.fused_bias_act(x, quant_scale=1.0)


def test_what_is_above_the_diagonal_is_not_seen():
    x = paddle.to_tensor(np.random.default_rng(1).normal(size=(1, 1, 3, 3)))
    mask = paddle.to_tensor(np.triu(np.full((1, 1, 3, 3), -np.inf), 1))
    found = incubate.softmax_mask_fuse_upper_triangle(x)
    np.testing.assert_allclose(found.numpy(), incubate.softmax_mask_fuse(x, mask).numpy())
    assert found.numpy()[0, 0, 0].tolist() == [1, 0, 0]


def test_rounds_of_neighbours_as_paddle_262_numbers_them():
    row = paddle.to_tensor([3, 7, 0, 9, 1, 4, 2, 9, 3, 9, 1, 9, 7])
    colptr = paddle.to_tensor([0, 2, 4, 5, 6, 7, 9, 11, 11, 13, 13])
    found = incubate.graph_khop_sampler(
        row, colptr, paddle.to_tensor([0, 8, 1, 2]), [5, 5], paddle.arange(100, 113), return_eids=True
    )
    source, target, nodes, numbers, names = (one.tolist() for one in found)
    assert source == [[4], [5], [6], [5], [0], [6], [2], [7]]
    assert target == [[0], [0], [1], [1], [2], [2], [3], [4]]
    assert (nodes, numbers) == ([0, 8, 1, 2, 3, 7, 9, 4], [0, 1, 2, 3])
    assert names == [100, 101, 111, 112, 102, 103, 104, 105]


def test_pruned_weights_stay_zero_while_the_rest_learns():
    net = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 4))
    incubate.asp.set_excluded_layers([net[2].weight.name])
    optimizer = incubate.asp.decorate(paddle.optimizer.SGD(0.1, parameters=net.parameters()))
    assert list(incubate.asp.prune_model(net)) == [net[0].weight.name]
    incubate.asp.reset_excluded_layers()
    zero = net[0].weight.numpy() == 0
    assert zero.sum() == 16
    assert incubate.asp.check_sparsity(net[0].weight.numpy().T)
    before = net[0].weight.numpy().copy()
    for _ in range(3):
        net(paddle.rand([4, 8])).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
    assert ((net[0].weight.numpy() == 0) == zero).all()
    assert (net[0].weight.numpy() != before).any()
    with pytest.raises(AssertionError, match='"mask_algo" should be'):
        incubate.asp.prune_model(net, mask_algo="mask_3d")


def test_an_own_way_to_prune():
    class Mine(nn.Layer):
        def __init__(self):
            super().__init__()
            self.weight = self.create_parameter([2, 2])

    def first_column(weight, n, m, algorithm, name):
        mask = np.array([[1.0, 0.0], [1.0, 0.0]], weight.dtype)
        return weight * mask, mask

    layer = Mine()
    assert incubate.asp.prune_model(layer) == {}
    incubate.asp.add_supported_layer(Mine, first_column)
    incubate.asp.prune_model(layer)
    assert layer.weight.numpy()[:, 1].tolist() == [0, 0]


def test_states_of_the_generator_by_number():
    paddle.seed(3)
    (old,) = incubate.get_rng_state(use_index=True)
    (new,) = incubate.register_rng_state_as_index()
    first = paddle.rand([3]).tolist()
    incubate.set_rng_state([new], use_index=True)
    assert paddle.rand([3]).tolist() == first
    second = paddle.rand([3]).tolist()
    incubate.set_rng_state([old], use_index=True)
    assert paddle.rand([3]).tolist() == second
    with pytest.raises(IndexError, match="has the number 99"):
        incubate.set_rng_state([99], use_index=True)


def test_what_is_to_be_tuned_is_read(tmp_path):
    incubate.autotune.set_config({"kernel": {"enable": True}})
    with pytest.warns(UserWarning, match="not kernels"):
        incubate.autotune.set_config({"kernels": {}})
    with pytest.warns(UserWarning, match="Load config error"):
        incubate.autotune.set_config(str(tmp_path / "none.json"))


def test_rows_change_places_also_when_a_program_runs():
    rows = np.arange(40.0, dtype="float32").reshape(20, 2)
    shuffled = incubate.layers.shuffle_batch(paddle.to_tensor(rows)).numpy()
    assert shuffled.tolist() != rows.tolist()
    assert sorted(shuffled.tolist()) == rows.tolist()
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main):
            out = incubate.layers.shuffle_batch(paddle.static.data("x", [-1, 2]))
        (found,) = paddle.static.Executor().run(main, feed={"x": rows}, fetch_list=[out])
    finally:
        paddle.disable_static()
    assert found.tolist() != rows.tolist()
    assert sorted(found.tolist()) == rows.tolist()


def test_children_in_a_tree():
    tree = [
        [0, 0, 0, 1, 2],
        [0, 1, 0, 3, 4],
        [0, 1, 0, 5, 6],
        [1, 2, 1, 0, 0],
        [2, 2, 1, 0, 0],
        [3, 2, 2, 0, 0],
    ]
    tree.append([4, 2, 2, 0, 0])
    attr = paddle.ParamAttr(initializer=nn.initializer.Assign(np.array(tree)))
    children, leaves = incubate.layers.tdm_child(paddle.to_tensor([[0], [1], [3]]), 7, 2, attr)
    assert children.tolist() == [[1, 2], [3, 4], [0, 0]]
    assert leaves.tolist() == [[0, 0], [1, 1], [0, 0]]
