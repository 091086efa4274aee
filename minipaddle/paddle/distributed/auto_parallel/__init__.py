"""``paddle.distributed.auto_parallel``, also ``fleet.auto``: tensors on meshes of processes, whole in this one."""

from minipaddle.engine.core.later import front
from minipaddle.paddle.distributed.auto_parallel import intermediate
from minipaddle.paddle.distributed.auto_parallel.api import shard_op, shard_tensor
from minipaddle.paddle.distributed.auto_parallel.process_mesh import ProcessMesh, get_mesh, set_mesh
from minipaddle.paddle.distributed.auto_parallel.strategy import Strategy

__all__ = ["ProcessMesh", "Strategy", "get_mesh", "intermediate", "set_mesh", "shard_op", "shard_tensor"]
__getattr__ = front(globals())
