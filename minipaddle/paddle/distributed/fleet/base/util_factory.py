"""What the workers of a job do together besides training, as one worker does it."""

from __future__ import annotations

import sys
from typing import Any


class UtilBase:
    """Adds, gathers and shares files among the workers of a job, of which there is one."""

    def all_reduce(self, input: Any, mode: str = "sum", comm_world: str = "worker") -> Any:
        """Return `input`, which is the sum, the least and the largest of one."""
        return input

    def all_gather(self, input: Any, comm_world: str = "worker") -> Any:
        """Return `input` itself, as Paddle does in one process."""
        return input

    def barrier(self, comm_world: str = "worker") -> None:
        """Return None: there is nobody to wait for."""

    def get_file_shard(self, files: list[str]) -> list[str]:
        """Return all of `files`.

        Raises:
            TypeError: **files should be a list**.
        """
        if not isinstance(files, list):
            raise TypeError("files should be a list of file need to be read.")
        return files

    def print_on_rank(self, message: str, rank_id: int) -> None:
        """Print `message` if this is worker `rank_id`, that is, number 0."""
        if rank_id == 0:
            sys.stdout.write(f"{message}\n")
