"""paddle.utils: helpers beside the engine."""

from __future__ import annotations

from minipaddle.engine.core.later import front
from minipaddle.paddle.utils import unique_name
from minipaddle.paddle.utils.deprecated import deprecated

__all__ = ["deprecated", "unique_name"]
__getattr__ = front(
    globals(),
    {
        "capture": "capture_backward_subgraph_guard capture_forward_subgraph_guard",
        "install_check": "run_check",
        "layers_utils": """
        assert_same_structure check_shape convert_shape_to_list convert_to_list copy_mutable_vars flatten
        hold_mutable_vars is_same_shape is_sequence map_structure pack_sequence_as padding_to_same_structure strtobool
        to_sequence""",
        "lazy_import": "try_import",
    },
    elsewhere={"require_version": "minipaddle.paddle.framework.release"},
)
