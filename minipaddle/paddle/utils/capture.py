"""Guards that dump graphs: Paddle's names for what tools/picture/dump.py does, loaded when it is used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def capture_forward_subgraph_guard(file_path: str) -> Iterator[None]:
    """Draw what the ``with`` block computes: DOT text in `file_path`, a picture in ``file_path.pdf``.

    Where nothing can draw a PDF, ``file_path.svg`` is written.
    """
    from minipaddle.tools.picture.dump import forward_into

    with forward_into(file_path):
        yield


@contextmanager
def capture_backward_subgraph_guard(
    dump_dir_path: str, need_dump_grad_tensors: bool = False
) -> Iterator[None]:
    """Draw every backward pass of the ``with`` block into files in the directory `dump_dir_path`.

    Args:
        dump_dir_path: made if it is not there.
        need_dump_grad_tensors: write what the gradients are, too.

    Raises:
        AssertionError: **dump_dir_path should not be None**; **path must be string type**.
        OSError: **Create ... failed**.
    """
    assert dump_dir_path is not None, "The dump_dir_path should not be None"
    from minipaddle.tools.picture.dump import backward_into

    with backward_into(dump_dir_path, need_dump_grad_tensors):
        yield
