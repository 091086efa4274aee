"""Tensors on meshes: what one process does is Paddle's (tests/parity); here is what only minipaddle does."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import distributed as dist
from minipaddle.paddle.distributed import auto_parallel


@pytest.fixture
def mesh():
    return dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["dp", "mp"])


@pytest.fixture(autouse=True)
def no_mesh_is_meant():
    yield
    auto_parallel.set_mesh(None)


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = paddle.nn.Linear(8, 8), paddle.nn.Linear(8, 8)

    def forward(self, x):
        return self.fc2(self.fc1(x))


def test_a_mesh_of_processes_that_do_not_run_holds_the_whole_tensor_here(mesh):
    x = dist.shard_tensor(paddle.arange(8, dtype="float32"), mesh, [dist.Shard(0), dist.Partial()])
    assert x.sum().item() == 28
    assert "process_mesh={shape: [2,2], process_ids: [0,1,2,3], dim_names: [dp,mp]}" in repr(x)
    assert not (x + 1).is_dist()


def test_placements_that_are_not_given_are_copies(mesh):
    assert dist.shard_tensor(paddle.ones([2]), mesh, [dist.Shard(0)]).placements == [
        dist.Shard(0),
        dist.Replicate(),
    ]


def test_an_axis_that_the_tensor_lacks_is_refused(mesh):
    with pytest.raises(ValueError, match=r"Shard\(dim=3\) of a tensor of shape \[2\]"):
        dist.shard_tensor(paddle.ones([2]), mesh, [dist.Shard(3)])


def test_a_parameter_stays_the_one_that_it_is(mesh):
    net = Net()
    net.fc1.weight = dist.shard_tensor(net.fc1.weight, mesh, [dist.Shard(0)])
    assert net.fc1.weight in net.parameters()
    assert net.fc1.weight.is_dist()
    net(paddle.ones([1, 8])).sum().backward()
    assert net.fc1.weight.grad is not None


def test_to_reshard_and_to_unshard_let_gradients_pass(mesh):
    x = paddle.ones([2])
    x.stop_gradient = False
    y = dist.reshard(x * 3, mesh, [dist.Replicate(), dist.Shard(0)])
    assert y.placements == [dist.Replicate(), dist.Shard(0)]
    z = dist.unshard_dtensor(y)
    assert (z.is_dist(), z.grad_fn.name()) == (False, "AssignGradNode")
    (z * z).sum().backward()
    assert x.grad.tolist() == [18.0, 18.0]


def test_in_a_program_a_tensor_stays_as_it_is(mesh):
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program()):
            x = paddle.static.data("x", [2])
            assert dist.shard_tensor(x, mesh, [dist.Shard(0)]) is x
            assert dist.reshard(x, mesh, [dist.Shard(0)]) is dist.unshard_dtensor(x) is x
    finally:
        paddle.disable_static()


def test_optimizers_and_scalers_are_handed_on(mesh):
    optimizer = paddle.optimizer.SGD(parameters=Net().parameters())
    assert dist.shard_optimizer(optimizer, dist.ShardingStage1("dp", mesh)) is optimizer
    scaler = paddle.amp.GradScaler(enable=False)
    assert dist.shard_scaler(scaler) is scaler
    with pytest.raises(ValueError, match="accumulating gradients in shard_optimizer works in PaddlePaddle"):
        dist.shard_optimizer(optimizer, gradient_accumulation_steps=2)


def test_an_operator_for_a_mesh_is_the_operator(mesh):
    add = auto_parallel.shard_op(paddle.add, mesh, [["dp", None], None], [[None]])
    assert add(paddle.ones([2]), y=paddle.ones([2])).tolist() == [2.0, 2.0]


class Rows(paddle.io.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return {"x": np.full(2, index, "float32"), "name": "row"}


@pytest.mark.parametrize("nested", [False, True])
def test_batches_lie_on_the_first_mesh(mesh, nested):
    loader = paddle.io.DataLoader(Rows(), batch_size=2)
    made = dist.shard_dataloader(loader, [[mesh], mesh] if nested else [mesh], "dp", input_keys=["x"])
    batches = list(made())
    assert len(batches) == len(made) == 2
    assert batches[1]["x"].process_mesh == mesh
    assert (batches[1]["x"].tolist(), batches[1]["name"]) == ([[2.0, 2.0], [3.0, 3.0]], ["row", "row"])


def test_a_local_layer_places_its_outputs(mesh):
    class Twice(dist.LocalLayer):
        def forward(self, x):
            return x * 2, "text"

    out, text = Twice([(mesh, [dist.Shard(0)]), (None, None)])(paddle.ones([2]))
    assert (out.tolist(), out.placements[0], text) == ([2.0, 2.0], dist.Shard(0), "text")


def hook(process_mesh):
    def double(layer, inputs, outputs=None):
        return (inputs[0] * 2,) if outputs is None else outputs * 10

    assert process_mesh.dim_names == ["dp", "mp"]
    return double


def test_plans_note_how_layers_would_be_cut_and_hang_on_hooks(mesh):
    net = Net()
    before = net(paddle.ones([1, 8]) * 2).numpy() * 10
    plan = {
        "fc*": dist.RowWiseParallel(),
        "fc1": [dist.ColWiseParallel(), dist.PrepareLayerInput(hook), dist.SequenceParallelBegin()],
        "fc2": dist.PrepareLayerOutput(hook),
    }
    config = {"mp_config": {"parallelize_plan": plan}, "pp_config": {"split_spec": "fc"}}
    model, optimizer = dist.parallelize(net, mesh=mesh, config=config)
    assert (model, optimizer) == (net, None)
    assert net.fc1.weight.placements == [dist.Replicate(), dist.Shard(1)]
    assert net.fc1.bias.placements == [dist.Replicate(), dist.Shard(0)]
    assert net.fc2.weight.placements == [dist.Replicate(), dist.Shard(0)]
    assert net.fc2.bias.placements == [dist.Replicate(), dist.Replicate()]
    assert np.allclose(net(paddle.ones([1, 8])).numpy(), before)


def test_plans_need_a_mesh():
    with pytest.raises(AssertionError, match="set_mesh"):
        dist.parallelize(Net(), config={"mp_config": {"parallelize_plan": {"fc1": dist.ConvParallel()}}})


def test_a_dist_model_trains_evaluates_and_predicts():
    net = Net()
    x, y = paddle.ones([2, 8]), paddle.zeros([2, 8])
    optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())
    model = dist.to_static(net, None, paddle.nn.MSELoss(), optimizer)
    first, second = model(x, y).item(), model(x, y).item()
    assert second < first
    model.eval()
    assert model(x, y).item() == model(x, y).item() < second
    model.predict()
    assert model(x).shape == [2, 8]
    assert not net.training
    model.train()
    assert net.training
    assert set(model.state_dict("param")) == set(net.state_dict()) < set(model.state_dict())
    model.set_state_dict(model.state_dict())


def test_modes_need_what_they_use():
    model = dist.to_static(Net())
    with pytest.raises(RuntimeError, match="train mode needs a loss and an optimizer"):
        model.train()
    with pytest.raises(RuntimeError, match="eval mode needs a loss"):
        model.eval()


def test_a_checkpoint_has_a_number_and_the_latest_is_taken(tmp_path):
    for number in (2, 11):
        dist.save_state_dict({"w": paddle.full([2], number)}, tmp_path, unique_id=number)
    w = paddle.zeros([2])
    dist.load_state_dict({"w": w}, tmp_path)
    assert w.tolist() == [11, 11]
    assert dist.load_merged_state_dict(tmp_path, unique_id=2, prefix="w")[""].tolist() == [2, 2]
