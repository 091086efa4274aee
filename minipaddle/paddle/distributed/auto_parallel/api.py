"""Tensors on a mesh of processes, as one process has them: whole, each with the mesh and its placements.

What Paddle computes on many processes is the same on the whole tensor; so is this. Only the tensor that one of these
functions returns knows its placements; results of operators do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from minipaddle.engine.autograd.creation import to_tensor
from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.engine.core.errors import failure
from minipaddle.ops.creation.assign import assign
from minipaddle.paddle.distributed.auto_parallel.placement_type import Placement, Replicate
from minipaddle.paddle.distributed.auto_parallel.process_mesh import ProcessMesh, get_mesh
from minipaddle.paddle.framework.settings import in_dynamic_mode
from minipaddle.paddle.nn.layer.layers import Layer
from minipaddle.paddle.nn.parameter.parameter import Parameter

__all__ = [
    "DistAttr", "ShardDataloader", "ShardingStage1", "ShardingStage2", "ShardingStage3", "dtensor_from_fn",
    "reshard", "shard_dataloader", "shard_layer", "shard_op", "shard_optimizer", "shard_scaler",
    "shard_tensor", "unshard_dtensor",
]  # fmt: skip


class DistAttr:
    """A mesh, and for each axis of a tensor the axis of the mesh along which it is cut, or None.

    Raises:
        ValueError: **The mesh must be an instance of paddle.distributed.ProcessMesh**; **The sharding_specs must be an
            instance of list**; **Invalid sharding dimension**.
    """

    def __init__(self, mesh: ProcessMesh, sharding_specs: list[str | None]) -> None:
        if not isinstance(mesh, ProcessMesh):
            raise ValueError("The mesh must be an instance of paddle.distributed.ProcessMesh.")
        if not isinstance(sharding_specs, list):
            raise ValueError("The sharding_specs must be an instance of list.")
        for name in sharding_specs:
            if name is not None and name not in mesh.dim_names:
                raise ValueError(
                    f"Invalid sharding dimension {name!r}. Available dimensions in mesh are: {mesh.dim_names}."
                )
        self.process_mesh = mesh
        self.sharding_specs = sharding_specs
        self.dims_mapping = [-1 if name is None else mesh.dim_names.index(name) for name in sharding_specs]

    def __str__(self) -> str:
        mapping = " ".join("[]" if at < 0 else f"[{at}]" for at in self.dims_mapping)
        zeros = ",".join("0" for _ in self.dims_mapping)
        return (
            f"{{process_mesh: {self.process_mesh.braced()}, dim_mappings: [{mapping} ], batch_dim: 0, chunk_id: 0, "
            f"skip_check_mesh: 0, dynamic_dims: [{zeros}], annotated: [dims_mapping: 1,process_mesh: 1], partial: [], "
            "split_factor: .}"
        )


class ShardingStage1:
    """Keeps what says along which axis of a mesh an optimizer's state would be cut."""

    def __init__(self, sharding_mesh_dim: int | str | None = None, mesh: ProcessMesh | None = None) -> None:
        self.sharding_mesh_dim = sharding_mesh_dim
        self.mesh = mesh


class ShardingStage2(ShardingStage1):
    """Keeps what says along which axis of a mesh state and gradients would be cut."""


class ShardingStage3(ShardingStage1):
    """Keeps what says along which axis of a mesh state, gradients and parameters would be cut."""


def shard_tensor(
    data: Any,
    mesh: ProcessMesh,
    placements: Sequence[Placement],
    dtype: Any = None,
    place: Any = None,
    stop_gradient: bool | None = None,
) -> Any:
    """Return a tensor with the numbers of `data` that lies on a mesh; of a parameter, the parameter itself.

    Args:
        data: a tensor, or what becomes one.
        mesh: the processes.
        placements: how it lies on each axis of the mesh.
        dtype: its type, unless `data` is a tensor.
        place: accepted.
        stop_gradient: whether it has no gradient; as `data` by default.

    Raises:
        TypeError: **must be ProcessMesh**, **must be list of Placement**.
        ValueError: more placements than the mesh has axes, or one along an axis that the tensor does not have.
    """
    if not in_dynamic_mode():
        return data
    if isinstance(data, Parameter):
        made: Any = data
    else:
        given = data if isinstance(data, Tensor) else to_tensor(data, dtype=dtype)
        made = given.detach()
        made.stop_gradient = given.stop_gradient
    if stop_gradient is not None:
        made.stop_gradient = stop_gradient
    return placed(made, mesh, placements)


def placed(tensor: Any, mesh: Any, placements: Any) -> Any:
    """Return `tensor`, which knows its mesh and its placements from now on."""
    if not isinstance(mesh, ProcessMesh):
        raise failure(TypeError, f"argument (position 1) must be ProcessMesh, but got {type(mesh).__name__}")
    if not isinstance(placements, (list, tuple)) or not all(
        isinstance(each, Placement) for each in placements
    ):
        raise failure(TypeError, f"argument (position 2) must be list of Placement, but got {placements!r}")
    if len(placements) > mesh.ndim:
        raise failure(
            ValueError,
            f"Expected mesh dim is less than process mesh dim size, but got {placements} for {mesh.ndim} axes",
        )
    for each in placements:
        if each.is_shard() and not -len(tensor.shape) <= each.get_dim() < len(tensor.shape):
            raise failure(ValueError, f"{each} of a tensor of shape {list(tensor.shape)}")
    tensor.process_mesh = mesh
    tensor.placements = [*placements, *(Replicate() for _ in range(mesh.ndim - len(placements)))]
    return tensor


def dtensor_from_fn(
    fn: Callable[..., Any], mesh: ProcessMesh, placements: Sequence[Placement], *args: Any, **kwargs: Any
) -> Any:
    """Return what `fn(*args, **kwargs)` makes, on a mesh."""
    return shard_tensor(fn(*args, **kwargs), mesh, placements)


def reshard(dist_tensor: Any, mesh: ProcessMesh, placements: Sequence[Placement]) -> Any:
    """Return the same numbers with other placements; gradients pass."""
    return placed(assign(dist_tensor), mesh, placements) if in_dynamic_mode() else dist_tensor


def unshard_dtensor(dist_tensor: Any) -> Any:
    """Return the same numbers, on no mesh; gradients pass."""
    return assign(dist_tensor) if in_dynamic_mode() else dist_tensor


def shard_layer(
    layer: Layer,
    process_mesh: ProcessMesh,
    shard_fn: Callable[[str, Layer, ProcessMesh], None] | None = None,
    input_fn: Callable[[Any, ProcessMesh], Any] | None = None,
    output_fn: Callable[[Any, ProcessMesh], Any] | None = None,
) -> Layer:
    """Return `layer`, whose parameters lie on a mesh.

    Args:
        layer: the layer.
        process_mesh: the processes.
        shard_fn: is called with the name of each part, the part and the mesh, and places its parameters; by default
            each process has all of them.
        input_fn: what becomes of the inputs.
        output_fn: what becomes of the outputs.

    Raises:
        ValueError: **The argument `process_mesh`** is missing, or no ProcessMesh.
    """
    if process_mesh is None:
        raise ValueError("The argument `process_mesh` cannot be empty.")
    if not isinstance(process_mesh, ProcessMesh):
        raise ValueError("The argument `process_mesh` is not `dist.ProcessMesh` type.")
    for name, part in layer.named_sublayers(include_self=True):
        if shard_fn is not None:
            shard_fn(name, part, process_mesh)
    for parameter in layer.parameters():
        if parameter.process_mesh is None:
            placed(parameter, process_mesh, [Replicate()])
    if input_fn is not None:
        layer.register_forward_pre_hook(lambda _, inputs: input_fn(inputs, process_mesh))
    if output_fn is not None:
        layer.register_forward_post_hook(lambda _, inputs, outputs: output_fn(outputs, process_mesh))
    return layer


def shard_optimizer(optimizer: Any, shard_fn: Any = None, gradient_accumulation_steps: int = 1) -> Any:
    """Return `optimizer` itself: this process has all of its state.

    Args:
        optimizer: the optimizer.
        shard_fn: accepted: a ShardingStage, or a function that places state.
        gradient_accumulation_steps: 1.

    Raises:
        ValueError: for more steps, which work in PaddlePaddle.
    """
    if gradient_accumulation_steps != 1:
        raise failure(
            ValueError, "accumulating gradients in shard_optimizer works in PaddlePaddle, in Programs."
        )
    return optimizer


def shard_scaler(scaler: Any) -> Any:
    """Return `scaler` itself."""
    return scaler


def shard_op(
    op: Callable[..., Any],
    process_mesh: ProcessMesh | None = None,
    in_shard_specs: Any = None,
    out_shard_specs: Any = None,
    **kwargs: Any,
) -> Callable[..., Any]:
    """Return a function that calls `op`: here it computes on whole tensors, wherever they lie."""
    return lambda *args, **named: op(*args, **named)


class ShardDataloader:
    """The batches of a loader, each tensor on a mesh."""

    def __init__(self, dataloader: Any, meshes: Any, shard_dims: Any) -> None:
        self.dataloader = dataloader
        first = meshes[0] if isinstance(meshes, (list, tuple)) else meshes
        self._mesh = first[0] if isinstance(first, (list, tuple)) else first
        self.shard_dims = shard_dims

    def __len__(self) -> int:
        return len(self.dataloader)

    def __iter__(self) -> Iterator[Any]:
        for batch in self.dataloader:
            yield self._placed(batch)

    def __call__(self) -> Iterator[Any]:
        """Return an iterator."""
        return iter(self)

    def _placed(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._placed(each) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._placed(each) for each in value]
        return (
            placed(value, self._mesh, [Replicate()] * self._mesh.ndim) if isinstance(value, Tensor) else value
        )


def shard_dataloader(
    dataloader: Any,
    meshes: Any,
    shard_dims: Any = None,
    is_dataset_splitted: bool = False,
    dense_tensor_idx: Any = None,
    input_keys: Any = None,
) -> ShardDataloader:
    """Return a loader whose batches lie on a mesh; each is whole: this process takes all examples.

    Args:
        dataloader: the loader.
        meshes: a mesh, or several, of which the first counts.
        shard_dims: kept: the axis of the mesh along which batches would be cut.
        is_dataset_splitted: accepted.
        dense_tensor_idx: accepted.
        input_keys: accepted.
    """
    return ShardDataloader(dataloader, meshes if meshes is not None else get_mesh(), shard_dims)
