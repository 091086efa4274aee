"""paddle.optimizer.lr: schedules of the learning rate."""

from minipaddle.core.errors import guard_all
from minipaddle.core.later import homes, later
from minipaddle.names.missing import missing
from minipaddle.optimizer.lr.decay import (
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
from minipaddle.optimizer.lr.plateau import ReduceOnPlateau
from minipaddle.optimizer.lr.scheduler import LRScheduler
from minipaddle.optimizer.lr.warmup import LinearWarmup

LATER = homes(
    "minipaddle.optimizer.lr",
    {
        "cycles": "CosineAnnealingWarmRestarts CyclicLR LinearLR OneCycleLR",
        "functional": "autoincreased_step_counter cosine_decay exponential_decay inverse_time_decay linear_lr_warmup "
        "natural_exp_decay noam_decay piecewise_decay polynomial_decay",
    },
)
"""What few scripts need, and the file of each."""

__all__ = [
    "CosineAnnealingDecay",
    "ExponentialDecay",
    "InverseTimeDecay",
    "LRScheduler",
    "LambdaDecay",
    "LinearWarmup",
    "MultiStepDecay",
    "MultiplicativeDecay",
    "NaturalExpDecay",
    "NoamDecay",
    "PiecewiseDecay",
    "PolynomialDecay",
    "ReduceOnPlateau",
    "StepDecay",
    *LATER,
]

guard_all(globals())
__getattr__ = later(globals(), LATER, missing(__name__, __all__))
