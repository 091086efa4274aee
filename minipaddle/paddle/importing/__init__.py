"""What makes ``import paddle`` find this package, in a script and in the processes that it spawns.

Read first: :mod:`minipaddle.paddle.importing.import_hook`.
"""
