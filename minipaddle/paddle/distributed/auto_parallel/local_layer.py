"""Code that means the part of a tensor which one process holds; one process holds the whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.paddle.distributed.auto_parallel.api import placed
from minipaddle.paddle.distributed.auto_parallel.process_mesh import ProcessMesh, get_mesh
from minipaddle.paddle.nn.layer.layers import Layer


class LocalLayer(Layer):
    """A layer that computes with the part of this process, which is the whole.

    Args:
        out_dist_attrs: for each output a mesh and placements.
        grad_dist_attrs: accepted: the same for the gradients.
    """

    def __init__(
        self, out_dist_attrs: Sequence[tuple[ProcessMesh, Any]], grad_dist_attrs: Any = None
    ) -> None:
        super().__init__()
        self.out_dist_attrs = out_dist_attrs
        self.grad_dist_attrs = grad_dist_attrs

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        """Return what `forward` returns, on the meshes of `out_dist_attrs`."""
        return _placed(super().__call__(*inputs, **kwargs), self.out_dist_attrs)


def local_map(
    func: Callable[..., Any],
    out_placements: Any,
    in_placements: Any = None,
    process_mesh: ProcessMesh | None = None,
    reshard_inputs: bool = False,
) -> Callable[..., Any]:
    """Return a function that calls `func` with the parts of this process, which are the whole.

    Args:
        func: what to call.
        out_placements: how each output lies on the mesh; None for what is no tensor.
        in_placements: accepted.
        process_mesh: the mesh; that of `set_mesh` by default.
        reshard_inputs: accepted.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        mesh = process_mesh if process_mesh is not None else get_mesh()
        return _placed(func(*args, **kwargs), [(mesh, each) for each in out_placements])

    return call


def _placed(outputs: Any, attrs: Sequence[tuple[Any, Any]]) -> Any:
    every = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    for out, (mesh, placements) in zip(every, attrs, strict=False):
        if isinstance(out, Tensor) and mesh is not None and placements is not None:
            placed(out, mesh, placements)
    return outputs
