"""Where answers of `dtype_calls` differ from Paddle's on purpose: lines of `dtype_differences.txt`, under a reason.

A line is `call: dtypes`. The reasons are rows of docs/parity.md.
"""

from pathlib import Path

__all__ = ["differences"]


def differences() -> dict[tuple[str, str], str]:
    """The reason, by call and dtype."""
    found: dict[tuple[str, str], str] = {}
    reason = ""
    for line in Path(__file__).with_suffix(".txt").read_text().splitlines():
        if line.startswith("# "):
            reason = line[2:]
        else:
            call, _, dtypes = line.rpartition(": ")
            found |= {(call, dtype): reason for dtype in dtypes.split()}
    return found
