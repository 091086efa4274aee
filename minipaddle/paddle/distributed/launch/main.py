"""``python -m paddle.distributed.launch SCRIPT`` with one process: the script runs here, where every tool sees it."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path

from minipaddle.paddle.distributed.spawn import as_process_0_of_1, one_process


def launch(arguments: list[str] | None = None) -> None:
    """Run a script with its arguments here, as ``python -m paddle.distributed.launch SCRIPT`` does with one process.

    Args:
        arguments: those of the command line by default.

    Raises:
        RuntimeError: for more processes, nodes or devices than one.
    """
    parser = argparse.ArgumentParser(prog="paddle.distributed.launch", allow_abbrev=False)
    parser.add_argument("--nproc_per_node", type=int, default=1, help="processes: 1")
    parser.add_argument("--nnodes", default="1", help="machines: 1")
    parser.add_argument("--devices", "--gpus", default="0", help="devices, with commas between: one")
    for accepted in ("master", "rank", "log_dir", "log_level", "job_id", "run_mode", "ips", "host"):
        parser.add_argument(f"--{accepted}", help="accepted")
    parser.add_argument("script")
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    given = parser.parse_args(arguments)
    for count in (given.nproc_per_node, int(given.nnodes.split(":")[0]), len(given.devices.split(","))):
        if count > 1:
            raise one_process("launch", count)
    sys.argv[:] = [given.script, *given.rest]
    sys.path.insert(0, str(Path(given.script).resolve().parent))
    with as_process_0_of_1():
        runpy.run_path(given.script, run_name="__main__")
