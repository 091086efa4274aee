"""Who a process is in a job: a worker, and which of how many; read from the environment, or given."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any


class Role:
    """What a process of a job does."""

    WORKER = 1
    SERVER = 2
    HETER_WORKER = 3
    ALL = 4
    COORDINATOR = 5


class RoleMakerBase:
    """A role: which process of a job this is.

    Attributes:
        role: one of `Role`.
        current_id: its number among those with this role.
        worker_num: how many workers there are.
        worker_endpoints: their addresses.
        server_endpoints: the addresses of the parameter servers.
    """

    role = Role.WORKER
    current_id = 0
    worker_num = 1
    worker_endpoints: Sequence[str] = ()
    server_endpoints: Sequence[str] = ()

    def to_string(self) -> str:
        """Return all of it in one line."""
        ends = f"worker_endpoints: {list(self.worker_endpoints)}, server_endpoints: {list(self.server_endpoints)}"
        return f"role: {self.role}, current_id: {self.current_id}, {ends}"

    def _worker_index(self) -> int:
        return self.current_id

    def _worker_num(self) -> int:
        return self.worker_num

    def _is_worker(self) -> bool:
        return self.role == Role.WORKER

    def _is_server(self) -> bool:
        return self.role == Role.SERVER

    def _is_first_worker(self) -> bool:
        return self._is_worker() and self.current_id == 0

    def _server_num(self) -> int:
        return len(self.server_endpoints)

    def _get_trainer_endpoints(self) -> list[str]:
        return list(self.worker_endpoints)

    def _get_pserver_endpoints(self) -> list[str]:
        return list(self.server_endpoints)


class PaddleCloudRoleMaker(RoleMakerBase):
    """The role that the variables of the environment name.

    Args:
        is_collective: workers exchange gradients; False: parameter servers hold what they learn.
        **kwargs: accepted.
    """

    def __init__(self, is_collective: bool = False, **kwargs: Any) -> None:
        self.current_id = int(os.getenv("PADDLE_TRAINER_ID", "0"))
        self.worker_num = int(os.getenv("PADDLE_TRAINERS_NUM", "1"))
        if is_collective:
            self.worker_endpoints = os.getenv("PADDLE_TRAINER_ENDPOINTS", "127.0.0.1:6170").split(",")
            return
        self.role = Role.SERVER if os.getenv("TRAINING_ROLE") == "PSERVER" else Role.WORKER
        self.worker_endpoints = _listed("PADDLE_TRAINER_ENDPOINTS")
        self.server_endpoints = _listed("PADDLE_PSERVERS_IP_PORT_LIST")


class UserDefinedRoleMaker(RoleMakerBase):
    """The role that its arguments name.

    Args:
        is_collective: accepted.
        init_gloo: accepted.
        **kwargs: `role`, `current_id`, `worker_num`, `worker_endpoints`, `server_endpoints`.
    """

    def __init__(self, is_collective: bool = False, init_gloo: bool = False, **kwargs: Any) -> None:
        self.role = kwargs.get("role", Role.WORKER)
        self.current_id = kwargs.get("current_id", 0)
        self.worker_endpoints = kwargs.get("worker_endpoints", [])
        self.server_endpoints = kwargs.get("server_endpoints", [])
        self.worker_num = kwargs.get("worker_num", 0) or len(self.worker_endpoints) or 1


def _listed(variable: str) -> list[str]:
    return [each for each in os.getenv(variable, "").split(",") if each]
