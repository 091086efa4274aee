"""paddle.sysconfig: folders that code in C++ is compiled against; there is none to compile here.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/sysconfig/Overview_en.html)
"""

from pathlib import Path

__all__ = ["get_include", "get_lib"]

_HOME = Path(__file__).parent


def get_include() -> str:
    """Return the folder where headers would be: it does not exist, there are none."""
    return str(_HOME / "include")


def get_lib() -> str:
    """Return the folder where libraries would be: it does not exist, there are none."""
    return str(_HOME / "libs")
