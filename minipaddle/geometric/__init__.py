"""paddle.geometric: graphs. What nodes are told along edges, renumbering, drawing of neighbours.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/geometric/Overview_en.html)
"""

from minipaddle.core.errors import guard_all
from minipaddle.geometric.neighbors import (
    reindex_graph,
    reindex_heter_graph,
    sample_neighbors,
    weighted_sample_neighbors,
)
from minipaddle.geometric.send_recv import (
    segment_max,
    segment_mean,
    segment_min,
    segment_sum,
    send_u_recv,
    send_ue_recv,
    send_uv,
)
from minipaddle.names.missing import missing

__all__ = [
    "reindex_graph",
    "reindex_heter_graph",
    "sample_neighbors",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_sum",
    "send_u_recv",
    "send_ue_recv",
    "send_uv",
    "weighted_sample_neighbors",
]

guard_all(globals())
__getattr__ = missing(__name__, __all__)
