"""What a student's process may use, set by itself before the file is loaded; on POSIX the system enforces it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping


def limit(limits: Mapping[str, int]) -> None:
    """Limit seconds of CPU, bytes of memory, files, processes and what may be written from here on."""
    if sys.platform == "win32":
        return
    import resource

    wanted = {
        resource.RLIMIT_CPU: limits["seconds"],
        resource.RLIMIT_AS: limits["megabytes"] << 20,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    if hasattr(resource, "RLIMIT_NPROC") and os.getuid() != 0:
        wanted[resource.RLIMIT_NPROC] = 0
    for what, most in wanted.items():
        _, hard = resource.getrlimit(what)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        try:
            resource.setrlimit(what, (most, most))
        except (ValueError, OSError):  # macOS has no limit of address space: the size watch is left
            continue
