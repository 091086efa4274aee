import paddle

x = paddle.to_tensor([4.0, 0.0, 9.0], stop_gradient=False)
root = paddle.where(x > 0, paddle.sqrt(x), paddle.zeros_like(x))
inverse = paddle.where(x > 0, 1 / x, paddle.zeros_like(x))
loss = (root + inverse).sum()
loss.backward()
