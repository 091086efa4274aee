"""``python -m paddle.distributed.launch SCRIPT``."""

from minipaddle.distributed.launch.main import launch

launch()
