"""The collectives with a choice of the stream they run on; a CPU has one, so they are the ones without."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from minipaddle.engine.core.errors import guard_all
from minipaddle.paddle.distributed.communication import collectives


def _on_a_stream(collective: Callable[..., None]) -> Callable[..., None]:
    """Return a collective that takes `use_calc_stream` too, which goes with `sync_op` only."""
    known = inspect.signature(collective)
    flag = inspect.Parameter("use_calc_stream", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=False)

    @functools.wraps(collective)
    def with_stream(*args: Any, **kwargs: Any) -> None:
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        chosen = given.arguments.pop("use_calc_stream")
        group = given.arguments["group"]
        if chosen and not given.arguments["sync_op"] and (group is None or group.is_member()):
            raise RuntimeError("use_calc_stream can only be true in sync op behavior.")
        collective(**given.arguments)

    signature = known.replace(parameters=[*known.parameters.values(), flag])
    vars(with_stream)["__signature__"] = signature
    return with_stream


all_gather = _on_a_stream(collectives.all_gather)
all_reduce = _on_a_stream(collectives.all_reduce)
alltoall = _on_a_stream(collectives.alltoall)
alltoall_single = _on_a_stream(collectives.alltoall_single)
broadcast = _on_a_stream(collectives.broadcast)
gather = _on_a_stream(collectives.gather)
recv = _on_a_stream(collectives.recv)
reduce = _on_a_stream(collectives.reduce)
reduce_scatter = _on_a_stream(collectives.reduce_scatter)
scatter = _on_a_stream(collectives.scatter)
send = _on_a_stream(collectives.send)

guard_all(globals())
