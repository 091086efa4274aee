"""``paddle.amp``: mixed precision as on a CPU, and loss scaling."""

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(globals(), {"casting": "auto_cast decorate", "grad_scaler": "GradScaler"})
