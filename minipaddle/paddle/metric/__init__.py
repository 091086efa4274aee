"""paddle.metric: how well a model does, counted over batches.

What is here has the arguments of Paddle's own, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/metric/NAME_en.html.
"""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.metric.metrics import Accuracy, Auc, Metric, accuracy

__all__ = ["Accuracy", "Auc", "Metric", "accuracy"]
__getattr__ = front(globals())
