"""The debugger in an editor: the Debug Adapter Protocol, for VS Code, Neovim, Emacs and PyCharm.

An editor draws the buttons, the lines and the variables; this package answers its requests from a recording. Read
first :mod:`minipaddle.tools.debug.dap.adapter`, the requests and their order.
"""
