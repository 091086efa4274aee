"""paddle.optimizer.lr: schedules of the learning rate."""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.optimizer.lr.decay import (
    CosineAnnealingDecay,
    ExponentialDecay,
    InverseTimeDecay,
    LambdaDecay,
    MultiStepDecay,
    NaturalExpDecay,
    NoamDecay,
    PiecewiseDecay,
    PolynomialDecay,
    StepDecay,
)
from minipaddle.paddle.optimizer.lr.plateau import ReduceOnPlateau
from minipaddle.paddle.optimizer.lr.scheduler import LRScheduler
from minipaddle.paddle.optimizer.lr.warmup import LinearWarmup

__all__ = [
    "CosineAnnealingDecay", "ExponentialDecay", "InverseTimeDecay", "LRScheduler", "LambdaDecay",
    "LinearWarmup", "MultiStepDecay", "NaturalExpDecay", "NoamDecay", "PiecewiseDecay",
    "PolynomialDecay", "ReduceOnPlateau", "StepDecay",
]  # fmt: skip
__getattr__ = front(globals(), {"one_cycle": "OneCycleLR"})
