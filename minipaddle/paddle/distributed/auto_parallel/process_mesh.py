"""ProcessMesh: the processes that hold a tensor, in a grid with named axes; the others need not run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.paddle.framework.parallel_env import ParallelEnv


class ProcessMesh:
    """Processes in a grid.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distributed/ProcessMesh_en.html)

    Args:
        mesh: their numbers, as a list of lists or an array.
        dim_names: a name for each axis; ``d0``, ``d1``, ... by default.
        shape: in place of `mesh`, the lengths of the axes,
        process_ids: and the numbers in a row.

    Raises:
        ValueError: **The mesh must be an instance of list or np.ndarray**.
        AssertionError: **All elements of the mesh must be** whole numbers, not negative, **unique**; the names must be
            as many as the axes, and unique.
    """

    def __init__(
        self,
        mesh: Any = None,
        dim_names: Sequence[str] | None = None,
        shape: Sequence[int] | None = None,
        process_ids: Sequence[int] | None = None,
    ) -> None:
        if mesh is None:
            assert shape is not None and process_ids is not None, "give a mesh, or shape and process_ids"
            mesh = np.array(process_ids).reshape(shape)
        if not isinstance(mesh, (list, np.ndarray)):
            raise ValueError("The mesh must be an instance of list or np.ndarray.")
        self.mesh = np.array(mesh)
        self.shape = list(self.mesh.shape)
        self.process_ids: list[int] = self.mesh.reshape(-1).tolist()
        assert self.mesh.dtype.kind in "iu", "All elements of the mesh must be integer"
        assert min(self.process_ids) >= 0, "All elements of the mesh must be >= 0."
        assert len(set(self.process_ids)) == len(self.process_ids), "All elements of the mesh must be unique."
        self.dim_names = [f"d{axis}" for axis in range(self.ndim)] if dim_names is None else list(dim_names)
        assert len(self.dim_names) == self.ndim, (
            "The length of dims_names must be same as the shape of the mesh."
        )
        assert len(set(self.dim_names)) == self.ndim, f"All dim_names {self.dim_names} must be unique."

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of processes."""
        return len(self.process_ids)

    def get_dim_size(self, dim_name: str) -> int:
        """Return the length of an axis."""
        return int(self.shape[self.dim_names.index(dim_name)])

    def get_mesh_with_dim(self, dim_name: str, index: int | None = None) -> ProcessMesh:
        """Return the mesh with an axis in front; with `index`, what is there at that place of the axis."""
        axis = self.dim_names.index(dim_name)
        names = [dim_name, *(name for name in self.dim_names if name != dim_name)]
        turned = np.moveaxis(self.mesh, axis, 0)
        return ProcessMesh(turned, names) if index is None else ProcessMesh(turned[index], names[1:])

    def get_submesh_with_dim(self, dim_name: str) -> ProcessMesh | None:
        """Return the line along an axis on which this process is; None if it is in no such line."""
        line = np.moveaxis(self.mesh, self.dim_names.index(dim_name), -1).reshape(
            -1, self.get_dim_size(dim_name)
        )
        own = [each for each in line if ParallelEnv().rank in each]
        return ProcessMesh(own[0], [dim_name]) if own else None

    def __getitem__(self, index: Any) -> ProcessMesh:
        taken = self.mesh[index]
        kept = [name for axis, name in enumerate(self.dim_names) if not _is_number_at(index, axis)]
        return ProcessMesh(taken if kept else np.array([taken]), kept or [self.dim_names[-1]])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProcessMesh) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return (tuple(self.shape), tuple(self.process_ids), tuple(self.dim_names))

    def __str__(self) -> str:
        return f"shape {self.shape}, process_ids {self.process_ids}, dim_names {self.dim_names}"

    def braced(self) -> str:
        """Return it as the text of a tensor says it."""
        shape, ids, names = (
            ",".join(map(str, part)) for part in (self.shape, self.process_ids, self.dim_names)
        )
        return f"{{shape: [{shape}], process_ids: [{ids}], dim_names: [{names}]}}"


def _is_number_at(index: Any, axis: int) -> bool:
    given = index if isinstance(index, tuple) else (index,)
    return axis < len(given) and isinstance(given[axis], int)


_mesh: ProcessMesh | None = None


def set_mesh(mesh: ProcessMesh) -> None:
    """Let a mesh be the one that is meant where none is given."""
    global _mesh
    _mesh = mesh


def get_mesh() -> ProcessMesh | None:
    """Return the mesh of `set_mesh`, or None."""
    return _mesh
