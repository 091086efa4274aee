"""The environment variables of a job: the rank of this process, and the number of processes."""

from __future__ import annotations

import os

_RINGS = "FLAGS_nccl_nrings"


class ParallelEnv:
    """The rank of this process, and the number of processes, read from the environment at construction.

    `local_rank` is `rank`, `nranks` is `world_size`, and `device_id` is 0, which `dev_id` is too.

    Raises:
        AssertionError: **nccl_nrings** is not between 1 and 8.
    """

    def __init__(self) -> None:
        self.rank = self.local_rank = int(os.getenv("PADDLE_TRAINER_ID", "0"))
        self.world_size = self.nranks = int(os.getenv("PADDLE_TRAINERS_NUM", "1"))
        self.device_id = self.dev_id = 0
        self.device_type = ""
        self.current_endpoint = os.getenv("PADDLE_CURRENT_ENDPOINT", "")
        self.trainer_endpoints = os.getenv("PADDLE_TRAINER_ENDPOINTS", "").split(",")
        self.nrings = int(os.getenv(_RINGS, "1"))
        self.pg_timeout = int(os.getenv("PADDLE_PG_TIMEOUT", "1800000"))
        assert 0 < self.nrings < 9, "nccl_nrings must be an integer from 1 to 8."
