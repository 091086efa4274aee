"""paddle.incubate.autotune: kernels, layouts and loaders that Paddle tries out; there is one of each here."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

_KINDS = ("kernel", "layout", "dataloader")


def set_config(config: dict[str, Any] | str | None = None) -> None:
    """Accept what to tune, as a dict or a JSON file; nothing changes: there is one kernel for each operator.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/autotune/set_config_en.html)

    A file that cannot be read, and a kind that is not known, are told in a warning.
    """
    if isinstance(config, str):
        try:
            config = json.loads(Path(config).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            warnings.warn(f"Load config error: {error}", stacklevel=2)
            return
    unknown = set(config or {}) - set(_KINDS)
    if unknown:
        warnings.warn(f"autotune knows {', '.join(_KINDS)}, not {', '.join(sorted(unknown))}", stacklevel=2)
