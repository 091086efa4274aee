# %% [markdown]
# # Mend a loss that writes over its notes
#
# This loss cannot be differentiated: `tanh` has kept `y` for the way back, and then `y` is written over.
#
#     def loss_of(w):
#         y = paddle.tanh(w)
#         y.scale_(2.0)
#         y.add_(w)
#         return (y * y).sum()
#
# Write `loss_of` so that it gives the same number, and has a gradient. `w` itself must stay as it is.

# %%
import paddle


def loss_of(w):
    # the same loss, and nothing is written over
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    w = paddle.to_tensor([0.5, -1.0], stop_gradient=False)
    loss = loss_of(w)
    loss.backward()
    print("loss:", loss.item(), "gradient:", w.grad.numpy(), "(about 8.39 and 7.3, -9.3 are right)")
