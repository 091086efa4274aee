# hint: The function was asked at other places than `x`: that is nudging.
import numpy as np
import paddle


def table(function, x):
    def value(at):
        return function(paddle.to_tensor(at)).numpy()

    return np.stack([(value(x + step) - value(x - step)) / 2e-6 for step in 1e-6 * np.eye(len(x))], axis=1)
