"""paddle.incubate.asp: weights of which n in every m are zero, kept so while a network is trained.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/asp/Overview_en.html)
"""

from minipaddle.core.errors import guard_all
from minipaddle.incubate.asp.masks import (
    CheckMethod,
    MaskAlgo,
    calculate_density,
    check_mask_1d,
    check_mask_2d,
    check_sparsity,
    create_mask,
    get_mask_1d,
    get_mask_2d_best,
    get_mask_2d_greedy,
)
from minipaddle.incubate.asp.pruning import (
    add_supported_layer,
    decorate,
    prune_model,
    reset_excluded_layers,
    set_excluded_layers,
)
from minipaddle.names.missing import missing

__all__ = [
    "CheckMethod",
    "MaskAlgo",
    "add_supported_layer",
    "calculate_density",
    "check_mask_1d",
    "check_mask_2d",
    "check_sparsity",
    "create_mask",
    "decorate",
    "get_mask_1d",
    "get_mask_2d_best",
    "get_mask_2d_greedy",
    "prune_model",
    "reset_excluded_layers",
    "set_excluded_layers",
]

guard_all(globals())
__getattr__ = missing(__name__, __all__)
