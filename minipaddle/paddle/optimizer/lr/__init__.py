"""paddle.optimizer.lr: schedules of the learning rate."""

from minipaddle.engine.core.later import front
from minipaddle.paddle.optimizer.lr.decay import (
    CosineAnnealingDecay,
    ExponentialDecay,
    InverseTimeDecay,
    LambdaDecay,
    MultiplicativeDecay,
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
    "LinearWarmup", "MultiStepDecay", "MultiplicativeDecay", "NaturalExpDecay", "NoamDecay", "PiecewiseDecay",
    "PolynomialDecay", "ReduceOnPlateau", "StepDecay",
]  # fmt: skip
__getattr__ = front(
    globals(),
    {
        "cycles": "CosineAnnealingWarmRestarts CyclicLR LinearLR OneCycleLR",
        "functional": "autoincreased_step_counter cosine_decay exponential_decay inverse_time_decay linear_lr_warmup "
        "natural_exp_decay noam_decay piecewise_decay polynomial_decay",
    },
)
