# hint: Numbers were cut off one by one, which turns the direction: one factor for all is asked for.
import numpy as np


def clipped(grads, limit):
    return [np.clip(grad, -limit, limit) for grad in grads]
