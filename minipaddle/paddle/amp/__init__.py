"""``paddle.amp``: mixed precision as a CPU answers it, and loss scaling."""

from minipaddle.engine.operator.later import front

__getattr__ = front(globals(), {"casting": "auto_cast decorate", "grad_scaler": "GradScaler"})
