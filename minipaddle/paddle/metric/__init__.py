"""paddle.metric: how well a model does, counted over batches.

What is here has the arguments of Paddle's own, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/metric/NAME_en.html.
"""

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(globals(), {"metrics": "Accuracy Auc Metric accuracy"})
