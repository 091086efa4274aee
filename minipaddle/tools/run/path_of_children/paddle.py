"""`import paddle` in a process that a script's `multiprocessing` spawned: minipaddle is its paddle, too.

This folder comes first on the path of such a process (minipaddle/importer.py). In the script's own process
this file is never loaded: the finder takes precedence.
"""

import importlib
import sys

from minipaddle.importer import install

del sys.modules[__name__]
install()
importlib.import_module(__name__)
