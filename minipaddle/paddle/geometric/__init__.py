"""paddle.geometric: graphs. What nodes are told along edges, renumbering, drawing of neighbours.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/geometric/Overview_en.html)
"""

from minipaddle.engine.core.later import front

__getattr__ = front(
    globals(),
    {
        "neighbors": "reindex_graph reindex_heter_graph sample_neighbors weighted_sample_neighbors",
        "send_recv": "segment_max segment_mean segment_min segment_sum send_u_recv send_ue_recv send_uv",
    },
)
