"""paddle.optimizer.lr: schedules of the learning rate."""

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(
    globals(),
    {
        "decay": """CosineAnnealingDecay ExponentialDecay LambdaDecay MultiStepDecay NoamDecay PiecewiseDecay
        PolynomialDecay StepDecay""",
        "one_cycle": "OneCycleLR",
        "plateau": "ReduceOnPlateau",
        "scheduler": "LRScheduler",
        "warmup": "LinearWarmup",
    },
)
