"""paddle.incubate.asp: weights of which n in every m are zero, kept so while a network is trained.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/asp/Overview_en.html)
"""

from minipaddle.engine.core.later import front

__getattr__ = front(
    globals(),
    {
        "masks": """CheckMethod MaskAlgo calculate_density check_mask_1d check_mask_2d check_sparsity
        create_mask get_mask_1d get_mask_2d_best get_mask_2d_greedy""",
        "pruning": "add_supported_layer decorate prune_model reset_excluded_layers set_excluded_layers",
    },
)
