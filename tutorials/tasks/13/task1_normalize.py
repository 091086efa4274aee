# %% [markdown]
# # Mend the rule of a layer
#
# `Normalize` makes the length of a vector 1: `y = x / |x|`. Somebody wrote for `backward`:
#
#     y, length = ctx.saved_tensor()
#     return dy / length
#
# It trains, and it is wrong: when `x` moves, its length moves, too. Write the right rule. On paper the Jacobian
# is `(I - y y.T) / length`, where `y y.T` is the table of all products of two elements of `y`.

# %%
import paddle
from paddle.autograd import PyLayer


class Normalize(PyLayer):
    @staticmethod
    def forward(ctx, x):
        length = paddle.sqrt((x * x).sum())
        y = x / length
        ctx.save_for_backward(y, length)
        return y

    @staticmethod
    def backward(ctx, dy):
        # take y and length back, as above; return the gradient of x
        ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    x = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
    Normalize.apply(x)[0].backward()
    print("gradient:", x.grad.numpy(), "(0.128, -0.096 is right)")
