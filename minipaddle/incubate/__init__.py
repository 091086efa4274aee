"""``paddle.incubate``: on trial in Paddle: derivatives of functions, optimizers, graphs, fused layers, pruning."""

from minipaddle.core.later import front, homes
from minipaddle.incubate import autograd, optimizer
from minipaddle.incubate.optimizer import LookAhead, ModelAverage

__all__ = ["LookAhead", "ModelAverage", "autograd", "optimizer"]
__getattr__ = front(
    globals(),
    {
        "graphs": """graph_khop_sampler graph_reindex graph_sample_neighbors graph_send_recv identity_loss
        softmax_mask_fuse softmax_mask_fuse_upper_triangle""",
        "framework": "get_rng_state register_rng_state_as_index set_rng_state",
    },
    elsewhere=homes(
        "minipaddle.geometric", {"send_recv": "segment_max segment_mean segment_min segment_sum"}
    ),
)
