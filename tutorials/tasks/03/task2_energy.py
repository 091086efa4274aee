# %% [markdown]
# # Two inputs, two gradients
#
# A body of mass `m` that moves at speed `v` has the energy `m * v * v / 2`. Complete `Energy`: its `forward`
# is given both, and its `backward` answers with a gradient for each, in the order of the inputs.
#
# `m` and `v` have the same shape here.

# %%
import paddle
from paddle.autograd import PyLayer


# %%
class Energy(PyLayer):
    @staticmethod
    def forward(ctx, m, v):
        # keep what backward needs; return the energy
        ...

    @staticmethod
    def backward(ctx, dy):
        # return two gradients
        ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    m = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    v = paddle.to_tensor([3.0, 5.0], stop_gradient=False)
    y = Energy.apply(m, v)
    y.sum().backward()
    print("energy:       ", y.numpy())
    print("gradient of m:", m.grad.numpy())
    print("gradient of v:", v.grad.numpy())
