"""How much memory a process has, on systems that do not hold a limit of it themselves (Windows, macOS)."""

from __future__ import annotations

import subprocess
import sys


def memory_of(process: int) -> int:
    """Return the bytes of memory that a process has now; 0 if it has ended."""
    if sys.platform == "win32":
        return _on_windows(process)
    told = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(process)], capture_output=True, text=True, check=False
    ).stdout.strip()
    return int(told) << 10 if told.isdecimal() else 0


def _on_windows(process: int) -> int:
    if sys.platform != "win32":
        return 0
    import ctypes
    from ctypes import wintypes

    class Counters(ctypes.Structure):
        """PROCESS_MEMORY_COUNTERS of psapi.h."""

        _fields_ = (
            ("cb", wintypes.DWORD),
            ("PageFaultCount", wintypes.DWORD),
            *(
                (name, ctypes.c_size_t)
                for name in (
                    "PeakWorkingSetSize",
                    "WorkingSetSize",
                    "QuotaPeakPagedPoolUsage",
                    "QuotaPagedPoolUsage",
                    "QuotaPeakNonPagedPoolUsage",
                    "QuotaNonPagedPoolUsage",
                    "PagefileUsage",
                    "PeakPagefileUsage",
                )
            ),
        )

    query_and_read = 0x0410
    handle = ctypes.windll.kernel32.OpenProcess(query_and_read, False, process)
    counters = Counters(cb=ctypes.sizeof(Counters))
    found = ctypes.windll.psapi.GetProcessMemoryInfo(handle, ctypes.byref(counters), counters.cb)
    ctypes.windll.kernel32.CloseHandle(handle)
    return int(counters.PagefileUsage) if found else 0
