"""`minipaddle dap`: the debugger in an editor, which speaks the Debug Adapter Protocol."""

import os
import sys
from typing import Annotated

from typer import Option

from minipaddle.tools.cli.console import fail, note


def dap(
    port: Annotated[
        int | None,
        Option(
            "--port", min=0, max=65535, help="Wait for editors at this port (0: a free one), not on stdio."
        ),
    ] = None,
) -> None:
    """Let an editor step through a gradient computation: VS Code, Neovim, Emacs, PyCharm.

    It speaks the Debug Adapter Protocol on standard input and output, or at a port of this machine.
    """
    from minipaddle.tools.debug.dap.adapter import Adapter
    from minipaddle.tools.debug.dap.serve import serve_at

    if port is None:
        output = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # what prints by mistake does not stand between the messages
        Adapter(sys.stdin.buffer, output).serve()
        return
    try:
        serve_at(port, lambda at: note("waiting for an editor at 127.0.0.1:{port}", port=at))
    except OSError as error:
        fail("--port {port}: {error}", port=port, error=error.strerror)
