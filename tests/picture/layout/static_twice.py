"""static.gradients of what static.gradients gave."""

import numpy as np
import paddle

paddle.enable_static()
x = paddle.static.data("x", [2], "float32")
x.stop_gradient = False
y = paddle.tanh(x) * x
(slope,) = paddle.static.gradients([y], [x])
(bend,) = paddle.static.gradients([slope * slope], [x])
paddle.static.Executor().run(feed={"x": np.array([0.5, -1.0], "float32")}, fetch_list=[slope, bend])
