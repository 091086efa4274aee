"""paddle.utils: helpers for scripts."""

from __future__ import annotations

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.utils import unique_name

__all__ = ["unique_name"]
__getattr__ = front(globals(), {"install_check": "run_check", "release": "require_version"})
