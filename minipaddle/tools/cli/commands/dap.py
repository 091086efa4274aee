"""`minipaddle dap`: the debugger in an editor, which speaks the Debug Adapter Protocol."""

import os
import signal
import sys
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Annotated

from typer import Option

from minipaddle.tools.cli.console import fail, note
from minipaddle.tools.words.language import language, speak

_Port = Annotated[int | None, Option("--port", min=0, max=65535, help="Listen at this port, not on stdio.")]


def dap(port: _Port = None) -> None:
    """Let an editor step through a gradient computation: VS Code, Neovim, Emacs, PyCharm.

    It speaks the Debug Adapter Protocol on standard input and output, or at a port of this machine.
    """
    from minipaddle.tools.debug.dap.adapter import Adapter

    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # an editor ends it so, and the script is to end too
    if port is None:
        input, output = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # what prints by mistake does not stand between the messages
        return Adapter(input, output).serve()
    spoken = language()

    class Editor(StreamRequestHandler):
        def handle(self) -> None:
            speak(spoken)
            Adapter(self.rfile, self.wfile).serve()

    try:
        with ThreadingTCPServer(("127.0.0.1", port), Editor) as server:
            server.daemon_threads = True
            note("waiting for an editor at 127.0.0.1:{port}", port=server.server_address[1])
            server.serve_forever()
    except OSError as error:
        fail("--port {port}: {error}", port=port, error=error.strerror)
