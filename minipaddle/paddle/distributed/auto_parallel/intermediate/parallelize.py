"""parallelize: plans by the names of layers; one process keeps every layer whole, and notes the placements."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable
from enum import Enum
from typing import Any

from minipaddle.paddle.distributed.auto_parallel.api import placed
from minipaddle.paddle.distributed.auto_parallel.placement_type import Placement, Replicate, Shard
from minipaddle.paddle.distributed.auto_parallel.process_mesh import ProcessMesh, get_mesh
from minipaddle.paddle.nn.layer.layers import Layer

_AXIS = "mp"
"""The axis of a mesh along which layers are cut."""


class SplitPoint(Enum):
    """Where a net is cut for a pipeline."""

    BEGINNING = 0
    END = 1


class PlanBase:
    """What is to become of a layer; nothing, unless a plan says otherwise."""

    def apply(self, layer: Layer, mesh: ProcessMesh) -> None:
        """Leave a layer as it is."""


class _Cut(PlanBase):
    """Notes how the parameters of a layer are cut along the axis ``mp``."""

    weight: Placement = Replicate()
    bias: Placement = Replicate()

    def apply(self, layer: Layer, mesh: ProcessMesh) -> None:
        """Give the weight and the bias of a layer their placements."""
        for name in ("weight", "bias"):
            if getattr(layer, name, None) is not None:
                at = [getattr(self, name) if axis == _AXIS else Replicate() for axis in mesh.dim_names]
                placed(getattr(layer, name), mesh, at)


class ColWiseParallel(_Cut):
    """Cut by columns.

    Args:
        gather_output: kept.
    """

    weight, bias = Shard(1), Shard(0)

    def __init__(self, gather_output: bool = False) -> None:
        self.gather_output = gather_output


class RowWiseParallel(_Cut):
    """Cut by rows.

    Args:
        is_input_parallel: kept.
    """

    weight = Shard(0)

    def __init__(self, is_input_parallel: bool = True) -> None:
        self.is_input_parallel = is_input_parallel


class ConvParallel(PlanBase):
    """A convolution cut along the width of its input; whole here."""


class PrepareLayerInput(PlanBase):
    """Calls `fn(process_mesh=mesh)` for a hook that runs before the layer."""

    def __init__(self, fn: Callable[..., Any] | None = None) -> None:
        self.fn = fn

    def apply(self, layer: Layer, mesh: ProcessMesh) -> None:
        """Register the hook."""
        if self.fn is not None:
            layer.register_forward_pre_hook(self.fn(process_mesh=mesh))


class PrepareLayerOutput(PrepareLayerInput):
    """Calls `fn(process_mesh=mesh)` for a hook that runs after the layer."""

    def apply(self, layer: Layer, mesh: ProcessMesh) -> None:
        """Register the hook."""
        if self.fn is not None:
            layer.register_forward_post_hook(self.fn(process_mesh=mesh))


class SequenceParallelBegin(PlanBase):
    """Where sequences begin to be cut; whole here.

    Args:
        need_transpose: kept.
    """

    def __init__(self, need_transpose: bool = True) -> None:
        self.need_transpose = need_transpose


class SequenceParallelEnd(SequenceParallelBegin):
    """Where sequences cease to be cut; whole here."""


class SequenceParallelDisable(SequenceParallelBegin):
    """A part in which sequences are not cut; whole here."""


class SequenceParallelEnable(PlanBase):
    """A part in which sequences are cut; whole here."""


class ContextParallel(PlanBase):
    """Attention cut along its sequence; whole here.

    Args:
        backend: kept.
    """

    def __init__(self, backend: str = "p2p") -> None:
        self.backend = backend


class PrepareContextParallel(ContextParallel):
    """The inputs of attention cut along their sequence; whole here."""


def parallelize(
    model: Layer, optimizer: Any = None, mesh: ProcessMesh | None = None, config: dict[str, Any] | None = None
) -> tuple[Layer, Any]:
    """Return the model and the optimizer, prepared as the plans of `config` say.

    Args:
        model: the net.
        optimizer: its optimizer, which stays as it is.
        mesh: the processes; those of `set_mesh` by default.
        config: ``{"mp_config": {"parallelize_plan": {name: plan}}}``, where a name may have ``*``; ``dp_config`` and
            ``pp_config`` are accepted.

    Raises:
        AssertionError: there is no mesh; **mp must in the mesh dim_names**.
    """
    used = mesh if mesh is not None else get_mesh()
    plans = (config or {}).get("mp_config", {}).get("parallelize_plan", {})
    if plans:
        assert used is not None, "give a mesh, or call paddle.distributed.auto_parallel.set_mesh first"
        assert _AXIS in used.dim_names, "mp must in the mesh dim_names when use tensor_parallel"
        for name, layer in model.named_sublayers():
            for pattern, plan in plans.items():
                if fnmatch.fnmatchcase(name, pattern):
                    for each in plan if isinstance(plan, (list, tuple)) else [plan]:
                        each.apply(layer, used)
    return model, optimizer
