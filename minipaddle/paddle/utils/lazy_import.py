"""``paddle.utils.try_import``: a module that may not be installed."""

from __future__ import annotations

import importlib
from types import ModuleType


def try_import(module_name: str, err_msg: str | None = None) -> ModuleType:
    """Return a module, imported.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/utils/try_import_en.html)

    Raises:
        ImportError: **Failed importing**, or `err_msg`: there is no such module.
    """
    try:
        return importlib.import_module(module_name)
    except ImportError as error:
        package = {"cv2": "opencv-python"}.get(module_name, module_name.partition(".")[0])
        failed = (
            f"Failed importing {module_name}. This likely means that some paddle modules require additional "
            f"dependencies that have to be manually installed (usually with `pip install {package}`). "
        )
        raise ImportError(failed if err_msg is None else err_msg) from error
