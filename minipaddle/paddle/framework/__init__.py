"""paddle.framework: files, random seed, default types, places and flags, and the summary of a net."""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.framework.summary import summary
from minipaddle.paddle.nn.parameter.create import ParamAttr

__all__ = ["ParamAttr", "summary"]
__getattr__ = front(
    globals(),
    {
        "io": "load save",
        "settings": """CPUPlace Generator disable_signal_handler get_default_dtype get_device
        get_flags get_rng_state is_compiled_with_cuda is_compiled_with_rocm is_compiled_with_xpu seed
        set_default_dtype set_device set_flags set_rng_state""",
        "static_mode": "disable_static in_dynamic_mode",
    },
)
