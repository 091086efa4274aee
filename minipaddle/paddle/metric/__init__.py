"""paddle.metric: metrics of a model, summed over batches."""

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(globals(), {"metrics": "Accuracy Auc Metric accuracy"})
