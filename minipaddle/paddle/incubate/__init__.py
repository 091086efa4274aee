"""``paddle.incubate``: on trial in Paddle: derivatives of functions, optimizers, graphs, fused layers, pruning."""

from minipaddle.engine.core.later import front, homes
from minipaddle.paddle.incubate import autograd, optimizer
from minipaddle.paddle.incubate.optimizer import LookAhead

__all__ = ["LookAhead", "autograd", "optimizer"]
__getattr__ = front(
    globals(),
    {
        "graphs": """graph_khop_sampler graph_reindex graph_sample_neighbors graph_send_recv identity_loss
        softmax_mask_fuse softmax_mask_fuse_upper_triangle""",
        "framework": "get_rng_state register_rng_state_as_index set_rng_state",
    },
    elsewhere=homes(
        "minipaddle.paddle.geometric", {"send_recv": "segment_max segment_mean segment_min segment_sum"}
    ),
)
