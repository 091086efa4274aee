"""paddle.distributed in one process: who it is, and what it refuses."""

import paddle.distributed as dist

from tests.support.parity.kit import Family

cases = Family("distributed")
EXCHANGES = {
    "all_reduce": lambda x: dist.all_reduce(x),
    "reduce": lambda x: dist.reduce(x, 0),
    "broadcast": lambda x: dist.broadcast(x, 0),
    "all_gather": lambda x: dist.all_gather([], x),
    "scatter": lambda x: dist.scatter(x, [x + 1]),
    "all_gather_object": lambda x: dist.all_gather_object([], 1),
    "barrier": lambda x: dist.barrier(),
}


SAMPLERS = {
    "alone": {},
    "first of two": {"num_replicas": 2, "rank": 0},
    "second of two": {"num_replicas": 2, "rank": 1},
    "last of four": {"num_replicas": 4, "rank": 3},
    "more than there are": {"num_replicas": 25, "rank": 24},
    "dropped": {"num_replicas": 2, "rank": 1, "drop_last": True},
}
