"""The debugger in an editor: the Debug Adapter Protocol. Read first :mod:`minipaddle.tools.debug.dap.adapter`."""
