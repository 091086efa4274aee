"""Forwards of layers as papers have them, and how their backwards get back what was kept."""

SAVE = "ctx.save_for_backward(x)\n"
GET = "(x,) = ctx.saved_tensor()\n"

FOCAL = """
s = F.sigmoid(x)
ctx.save_for_backward(s)
return -((1 - s) ** 2) * paddle.log(s)
"""
GET_S = "(s,) = ctx.saved_tensor()\n"

NORM = """
mean = x.mean(axis=-1, keepdim=True)
inv = paddle.rsqrt(((x - mean) ** 2).mean(axis=-1, keepdim=True) + 1e-5)
h = (x - mean) * inv
ctx.save_for_backward(h, inv, w)
return h * w + bias
"""
GET_NORM = "h, inv, w = ctx.saved_tensor()\ng = dy * w\n"
INNER = "g.mean(axis=-1, keepdim=True) - h * (g * h).mean(axis=-1, keepdim=True)"
LEAVES = "Own.apply(x, leaf(4), leaf(4))"

RMS = """
inv = paddle.rsqrt((x * x).mean(axis=-1, keepdim=True) + 1e-6)
ctx.save_for_backward(x, inv, w)
return x * inv * w
"""
GET_RMS = "x, inv, w = ctx.saved_tensor()\n"

CROSS = """
s = F.softmax(x, axis=-1)
hot = F.one_hot(t, 4).astype('float32')
ctx.save_for_backward(s, hot)
return -(hot * paddle.log(s)).sum() / x.shape[0]
"""
GET_CROSS = "s, hot = ctx.saved_tensor()\n"
LABELS = "Own.apply(x, paddle.to_tensor([1, 0, 3]))"

GELU = """
u = 0.7978845608 * (x + 0.044715 * x ** 3)
t = paddle.tanh(u)
ctx.save_for_backward(x, t)
return 0.5 * x * (1 + t)
"""
GET_GELU = "x, t = ctx.saved_tensor()\n"

SWISH = "s = F.sigmoid(x)\nctx.save_for_backward(x, s)\nreturn x * s"
GET_SWISH = "x, s = ctx.saved_tensor()\n"

ATTENTION = """
s = F.softmax(paddle.matmul(q, k, transpose_y=True) / 2.0, axis=-1)
ctx.save_for_backward(q, k, v, s)
return paddle.matmul(s, v)
"""
GET_ATTENTION = """
q, k, v, s = ctx.saved_tensor()
ds = paddle.matmul(dy, v, transpose_y=True)
"""
HEADS = "Own.apply(leaf(2, 3, 4), leaf(2, 3, 4), leaf(2, 3, 4))"

WEIGHT_NORM = """
n = paddle.sqrt((v * v).sum(axis=1, keepdim=True))
ctx.save_for_backward(v, g, n)
return v * g / n
"""
GET_WEIGHT_NORM = "v, g, n = ctx.saved_tensor()\nu = v / n\ninner = (dy * u).sum(axis=1, keepdim=True)\n"

SORTED = "i = paddle.argsort(x, axis=1)\nctx.save_for_backward(i)\nreturn paddle.take_along_axis(x, i, 1)"
GET_I = "(i,) = ctx.saved_tensor()\n"

LSTM = """
i, f, c = F.sigmoid(gi), F.sigmoid(gf), paddle.tanh(gc)
ctx.save_for_backward(i, f, c, old)
return f * old + i * c
"""
GET_LSTM = "i, f, c, old = ctx.saved_tensor()\n"
GATES = "Own.apply(x, y, p, q)"

COSINE = """
nx = paddle.sqrt((x * x).sum(axis=1, keepdim=True))
ny = paddle.sqrt((y * y).sum(axis=1, keepdim=True))
c = (x * y).sum(axis=1, keepdim=True) / (nx * ny)
ctx.save_for_backward(x, y, nx, ny, c)
return c
"""
GET_COSINE = "x, y, nx, ny, c = ctx.saved_tensor()\n"

ROPE = """
left, right = x[:, :2], x[:, 2:]
c, s = paddle.cos(angle), paddle.sin(angle)
ctx.save_for_backward(c, s)
return paddle.concat([left * c - right * s, left * s + right * c], axis=1)
"""
GET_ROPE = "c, s = ctx.saved_tensor()\nu, w = dy[:, :2], dy[:, 2:]\n"

BATCH_NORM = """
mean = x.mean(axis=0)
var = ((x - mean) ** 2).mean(axis=0)
inv = 1 / paddle.sqrt(var + 1e-5)
ctx.save_for_backward(x, mean, inv)
return (x - mean) * inv
"""
GET_BATCH_NORM = "x, mean, inv = ctx.saved_tensor()\nh = (x - mean) * inv\n"
