"""Names in Chinese, and a long one."""

import paddle
from paddle import nn

paddle.seed(3)


class 残差块(nn.Layer):
    def __init__(self):
        super().__init__()
        self.线性层 = nn.Linear(3, 3)

    def forward(self, 输入):
        return paddle.tanh(self.线性层(输入)) + 输入


网络 = nn.Sequential(残差块(), 残差块())
数据 = paddle.to_tensor([[1.0, 2.0, 3.0]], stop_gradient=False)
一个非常长的变量名用来检查图中的文字不会被截断或者重叠 = 网络(数据)
(一个非常长的变量名用来检查图中的文字不会被截断或者重叠 * 数据).sum().backward()
