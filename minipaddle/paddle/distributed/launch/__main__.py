"""``python -m paddle.distributed.launch SCRIPT``."""

from minipaddle.paddle.distributed.launch.main import launch

launch()
