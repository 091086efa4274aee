"""One step of an LSTM, by its gates: input, forget, candidate and output."""

import paddle

F = paddle.nn.functional
zi, zf, zg, zo = (paddle.to_tensor(z, stop_gradient=False) for z in (0.5, 1.5, 0.4, -0.5))
C = paddle.to_tensor(0.8, stop_gradient=False)
i = F.sigmoid(zi)
f = F.sigmoid(zf)
g = paddle.tanh(zg)
k = f * C
n = i * g
c = k + n
o = F.sigmoid(zo)
m = paddle.tanh(c)
h = o * m
h.backward()
