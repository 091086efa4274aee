# %% [markdown]
# # A loss that counts slopes
#
# A curve shall be small and gentle. Complete `loss_of(curve, x, weight)`: it returns the mean of `curve(x) ** 2`,
# plus `weight` times the mean of the squared slopes of the curve at `x`. Both means are over the elements of `x`.
#
# `curve` has parameters of its own, and the loss will be differentiated for them, the second term as well.

# %%
import paddle


def loss_of(curve, x, weight):
    # x is a Tensor; return a Tensor that can be differentiated
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    w = paddle.to_tensor(2.0, stop_gradient=False)
    loss = loss_of(lambda x: w * x * x, paddle.to_tensor([1.0, 3.0]), 0.1)
    loss.backward()
    print("loss:", loss.item(), "gradient of w:", w.grad.item(), "(172 and 172 are right)")
