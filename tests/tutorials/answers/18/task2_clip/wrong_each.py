# hint: Each array was made shorter by itself: then they no longer point where they pointed together.
import numpy as np


def clipped(grads, limit):
    return [grad * min(1.0, limit / np.sqrt((grad**2).sum())) for grad in grads]
