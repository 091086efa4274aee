"""paddle.metric: how well a model does, counted over batches."""

from minipaddle.metric.metrics import Accuracy, Auc, Metric, Precision, Recall, accuracy

__all__ = ["Accuracy", "Auc", "Metric", "Precision", "Recall", "accuracy"]
