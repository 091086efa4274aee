"""One operator of thirty inputs."""

import paddle

parts = [paddle.to_tensor([float(i)], stop_gradient=False) for i in range(30)]
paddle.concat(parts).sum().backward()
