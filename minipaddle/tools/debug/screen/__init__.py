"""The debugger on the whole screen of a terminal, drawn by Textual: source, tape and numbers at once.

It needs the extra ``minipaddle[tui]`` and is loaded by ``minipaddle step --tui`` only. Read first
:mod:`minipaddle.tools.debug.screen.app`; the panes are in files of their own.
"""
