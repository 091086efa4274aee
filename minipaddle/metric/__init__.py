"""paddle.metric: how well a model does, counted over batches.

What is here has the arguments of Paddle's own, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/metric/NAME_en.html.
"""

from minipaddle.core.errors import guard_all
from minipaddle.metric.metrics import Accuracy, Auc, Metric, Precision, Recall, accuracy
from minipaddle.names.missing import missing

__all__ = ["Accuracy", "Auc", "Metric", "Precision", "Recall", "accuracy"]

guard_all(globals())
__getattr__ = missing(__name__, __all__)
