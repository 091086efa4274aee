"""A notebook in a browser, emulated: no threads, processes, sockets, SciPy, graphviz or `dot`; every cell is a task.

`python -m tests.support.browser_like` reads lines of JSON, each a folder and a list of notebooks (lists of code
cells). It runs each notebook there in a fresh shell of IPython, and answers with a line: what each cell has shown, or
how it failed. A line has a process of its own, forked from one that has taken everything away, and run a first
notebook. What is emulated is what Pyodide lacks; Pyodide itself, and its own NumPy, it is not.
"""

import json
import os
import sys
import sysconfig
import traceback
from contextvars import copy_context
from importlib import import_module

FIRST = [
    "%load_ext minipaddle",
    "import paddle\nw = paddle.to_tensor([1.0], stop_gradient=False)",
    "%%graph\n(w * w).sum().backward()",
]
"""Imports what nearly all notebooks need."""
LACKING = ("scipy", "graphviz", "multiprocessing", "_multiprocessing", "jupytext")


def take_away() -> None:
    """Let everything that a browser lacks fail as it does there."""
    import _socket
    import socket
    import subprocess
    import threading

    def lacking(what):
        def refuse(*_, **__):
            raise OSError(f"{what} is not supported in a browser")

        return refuse

    def no_thread(*_, **__):
        raise RuntimeError("can't start new thread")

    for name in LACKING:
        for loaded in [one for one in sys.modules if one.partition(".")[0] == name]:
            del sys.modules[loaded]
        sys.modules[name] = None
    threading.Thread.start = no_thread
    threading._start_new_thread = no_thread
    subscripted = classmethod(lambda cls, _: cls)  # as the real one: Popen[bytes]
    subprocess.Popen = type(
        "Popen", (), {"__init__": lacking("subprocess"), "__class_getitem__": subscripted}
    )
    socket.socket = type("socket", (_socket.socket,), {"__init__": lacking("socket")})
    for name in ("fork", "posix_spawn", "system", "popen", "execv", "forkpty"):
        setattr(os, name, lacking(f"os.{name}"))
    os.environ["PATH"] = ""
    sys.platform = "emscripten"


def shell_of_a_kernel():
    """Return a new shell that keeps no history: the other kind starts a thread."""
    from IPython.core.history import HistoryManager
    from IPython.core.interactiveshell import InteractiveShell

    HistoryManager.enabled = False
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.colors = "nocolor"
    return shell


def run(cells):
    """Return what each cell has shown; the last one of those returned may have failed."""
    from IPython.utils.capture import capture_output

    shell, shown = shell_of_a_kernel(), []
    for cell in cells:
        results = []
        shell.displayhook.write_format_data = lambda data, _=None, results=results: results.append(data)
        with capture_output() as captured:
            done = copy_context().run(shell.run_cell, cell, store_history=True)
        kinds = [*(output.data for output in captured.outputs), *results]
        failed = done.error_before_exec or done.error_in_exec
        shown.append(
            {
                "cell": cell,
                "text": captured.stdout,
                "errors": captured.stderr,
                "shown": [{kind: str(data) for kind, data in one.items()} for one in kinds],
                "failed": "" if failed is None else f"{type(failed).__name__}: {failed}",
            }
        )
        if failed is not None:
            break
    shell.run_line_magic("unload_ext", "minipaddle")
    return shown


def answer(folder, notebooks, answers):
    """Write the line for one request; never returns."""
    os.chdir(folder)
    try:
        print(json.dumps([run(cells) for cells in notebooks]), file=answers, flush=True)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def main():
    """Answer until nobody asks."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a notebook prints must not end up among the answers
    import_module("numpy")  # Pyodide has its own
    shell_of_a_kernel()
    sysconfig.get_config_vars()  # of this system: there are none of the other at hand
    fork = os.fork
    take_away()
    assert [one["failed"] for one in run(FIRST)] == [""] * len(FIRST)
    for line in sys.stdin:
        child = fork()
        if not child:
            answer(*json.loads(line), answers)
        if os.waitpid(child, 0)[1]:
            print(json.dumps(None), file=answers, flush=True)


if __name__ == "__main__":
    main()
