# %% [markdown]
# # A layer with two results
#
# `Parts` takes `x` apart: its first result is `x` where `x` is positive, else 0; its second is `-x` where `x` is
# negative, else 0. `forward` is written; complete `backward`.
#
# A user may need only one of the results. Then `backward` shall be given `None` for the other, and no zeros: so ask for
# that in `forward`, and be ready for it in `backward`.

# %%
import paddle
import paddle.nn.functional as F
from paddle.autograd import PyLayer


class Parts(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        # ask for None instead of zeros
        return F.relu(x), F.relu(-x)

    @staticmethod
    def backward(ctx, d_above, d_below):
        # the gradient of x; each of the two may be None
        ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    x = paddle.to_tensor([1.0, -2.0, 3.0], stop_gradient=False)
    above, below = Parts.apply(x)
    (above + 10 * below).sum().backward()
    print("gradient:", x.grad.numpy(), "(1, -10, 1 is right)")
