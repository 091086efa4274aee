"""Tensors on meshes of processes, of which one runs: meshes, placements, strategies, layers, checkpoints."""

import os
import tempfile

import numpy as np
import paddle
import paddle.distributed as dist
from paddle.distributed.fleet import auto

from tests.support.parity.kit import Family, data, frozen, leaf, raises

cases = Family("auto_parallel")
PARTS = "sharding gradient_merge pipeline amp recompute dp_optimization mp_optimization sp_optimization"
MORE = "qat tuning dataset fused_passes fused_linear_promotion"


def mesh():
    return dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["a", "b"])


def one():
    return dist.ProcessMesh([0], dim_names=["x"])


@cases
def meshes():
    grid = mesh()
    deep = dist.ProcessMesh(np.arange(8).reshape(2, 2, 2), dim_names=["pp", "dp", "tp"])
    parts = [grid[0], grid[:, 1], grid.get_mesh_with_dim("b"), grid.get_mesh_with_dim("b", 1), deep[1, :, 0]]
    parts += [deep.get_submesh_with_dim(name) for name in deep.dim_names] + [
        dist.ProcessMesh([[0, 1], [2, 3]])
    ]
    parts.append(dist.ProcessMesh(shape=[2, 2], process_ids=[4, 5, 6, 7]))
    facts = [
        grid.shape,
        grid.ndim,
        grid.process_ids,
        grid.dim_names,
        grid.size,
        grid.mesh,
        grid.get_dim_size("a"),
    ]
    same = [grid == mesh(), grid == one(), grid != 3, hash(grid) == hash(mesh())]
    return [[str(part) for part in parts], facts, same]


@cases
def refused_meshes():
    make = dist.ProcessMesh
    return [
        raises(lambda: make("x"), "must be an instance of list or np.ndarray"),
        raises(lambda: make([[0, 1], [1, 2]]), "must be unique"),
        raises(lambda: make([0, 1], dim_names=["a", "b"]), "same as the shape of the mesh"),
        raises(lambda: make([-1]), "must be >= 0"),
        raises(lambda: make([[0, 1], [2, 3]], dim_names=["a", "a"]), "must be unique"),
        raises(lambda: make([0.5]), "must be integer"),
        raises(lambda: make(None)),
    ]


@cases
def the_mesh_that_is_meant():
    dist.auto_parallel.set_mesh(mesh())
    return str(dist.get_mesh())


@cases
def placements():
    every = [
        dist.Shard(0),
        dist.Shard(1),
        dist.Replicate(),
        dist.Partial(),
        dist.Partial(dist.ReduceType.kRedMax),
    ]
    kinds = [[p.is_shard(), p.is_shard(1), p.is_replicated(), p.is_partial()] for p in every]
    equal = [[a == b for a in every] for b in every]
    names = ["kRedSum", "kRedMax", "kRedMin", "kRedProd", "kRedAvg", "kRedAny", "kRedAll"]
    types = [
        [int(getattr(dist.ReduceType, name)), str(dist.Partial(getattr(dist.ReduceType, name)))]
        for name in names
    ]
    same = [hash(dist.Shard(1)) == hash(dist.Shard(1)), isinstance(every[0], dist.Placement)]
    return [[str(p) for p in every], kinds, equal, types, same, every[1].get_dim()]


@cases
def attributes():
    attr = dist.DistAttr(mesh(), ["a", None])
    return [
        str(attr),
        attr.sharding_specs,
        attr.dims_mapping,
        raises(lambda: dist.DistAttr(mesh(), ["q"]), "Invalid sharding dimension 'q'"),
        raises(lambda: dist.DistAttr(3, []), "must be an instance of paddle.distributed.ProcessMesh"),
        raises(lambda: dist.DistAttr(mesh(), 3), "must be an instance of list"),
    ]


@cases
def tensors_on_a_mesh():
    made = dist.shard_tensor(frozen(np.arange(4.0)), one(), [dist.Shard(0)])
    listed = dist.shard_tensor([[1, 2], [3, 4]], one(), [dist.Shard(1)], dtype="float64", stop_gradient=False)
    filled = dist.dtensor_from_fn(paddle.ones, one(), [dist.Replicate()], shape=[2])
    plain = frozen(data(2))
    facts = [plain.is_dist(), plain.process_mesh, plain.placements, made.is_dist(), str(made.placements)]
    return [[str(each) for each in (made, listed, filled)], facts, listed.stop_gradient, made.shape]


@cases
def gradients_on_a_mesh():
    w = leaf(data(4))
    lying = dist.shard_tensor(w, one(), [dist.Shard(0)], stop_gradient=False)
    y = (lying * lying + lying.exp()).tanh() * 2
    y.backward(frozen(data(4, seed=3)))
    return [lying.grad, w.grad, lying.is_leaf, y]


@cases
def refused_tensors():
    x = frozen(data(3))
    return [
        raises(lambda: dist.shard_tensor(x, 3, [dist.Shard(0)]), "must be ProcessMesh, but got int"),
        raises(lambda: dist.shard_tensor(x, one(), 3), "must be list of Placement"),
        raises(lambda: dist.shard_tensor(x, one(), ["x"]), "must be list of Placement"),
        raises(
            lambda: dist.shard_tensor(x, one(), [dist.Shard(0)] * 2),
            "Expected mesh dim is less than process mesh",
        ),
    ]


class Net(paddle.nn.Layer):
    """Two layers."""

    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 2)

    def forward(self, x):
        return self.fc2(self.fc1(x))


@cases
def layers_on_a_mesh():
    seen, passed = [], []
    dist.shard_layer(Net(), one(), lambda name, layer, at: seen.append([name, type(layer).__name__, str(at)]))

    def entering(inputs, at):
        passed.append([type(inputs).__name__, str(at)])
        return (inputs[0] * 2,)

    def leaving(output, at):
        passed.append(["out", str(at)])
        return output

    net = dist.shard_layer(Net(), one(), None, entering, leaving)
    out = net(paddle.ones([1, 2])).shape
    lying = [parameter.is_dist() for parameter in net.parameters()]
    return [
        seen,
        passed,
        list(out),
        lying,
        raises(lambda: dist.shard_layer(Net(), 3), "is not `dist.ProcessMesh` type"),
        raises(lambda: dist.shard_layer(Net(), None), "cannot be empty"),
    ]


@cases
def local_code():
    called = dist.local_map(lambda x: x * 2, [[dist.Replicate()]], [[dist.Replicate()]], one())
    with paddle.no_grad():
        return str(called(dist.shard_tensor(paddle.ones([2]), one(), [dist.Replicate()])))


@cases
def strategies():
    given = dist.Strategy({"sharding": {"enable": True, "stage": 2}})
    known = auto.Strategy()
    base = [given.auto_mode, given.gradient_scale, given.seed, given.split_data]
    return [
        {name: getattr(dist.Strategy(), f"_{name}", None) is not None for name in ("colour",)},
        {name: getattr(known, name).to_dict() for name in (PARTS + " " + MORE).split()},
        given.sharding.to_dict(),
        base,
        str(known.gradient_merge),
        raises(lambda: dist.Strategy(3), "Expected a dictionary"),
    ]


@cases
def plans_need_their_axis():
    dist.auto_parallel.set_mesh(one())
    plan = {"mp_config": {"parallelize_plan": {"fc1": dist.ColWiseParallel()}}}
    return raises(lambda: dist.parallelize(Net(), config=plan), "mp must in the mesh dim_names")


@cases
def checkpoints():
    with tempfile.TemporaryDirectory() as above:
        folder = os.path.join(above, "a", "b")
        dist.save_state_dict({"w": frozen(np.arange(3.0)), "n": {"x": frozen(data(2))}}, folder)
        w = frozen(np.zeros(3))
        dist.load_state_dict({"w": w}, folder)
        merged = dist.load_merged_state_dict(folder)
        return [
            w,
            {name: merged[name] for name in sorted(merged)},
            raises(lambda: dist.load_state_dict({"q": w}, folder)),
            raises(lambda: dist.load_state_dict({"w": w}, folder + "no")),
            raises(lambda: dist.save_state_dict({"w": 3}, folder), "should be dict or paddle.Tensor"),
            raises(lambda: dist.save_state_dict(3, folder), "should be a dictionary"),
        ]
