# %% [markdown]
# # A target that stands still
#
# In reinforcement learning the wish for a prediction is computed from another prediction of the same network:
# `wish = reward + 0.9 * value_next`. The loss is the mean of `(value - wish) ** 2`. The wish shall be taken for
# given: no gradient may go back through it.
#
# Complete `loss_of`. It is given three Tensors of one shape.

# %%
import paddle


def loss_of(value, reward, value_next):
    # the mean of (value - wish) ** 2
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    w = paddle.to_tensor(2.0, stop_gradient=False)
    loss = loss_of(w * 1.0, paddle.to_tensor(1.0), w * 3.0)
    loss.backward()
    print("loss:", loss.item(), "gradient:", w.grad.item(), "(about 19.36 and -8.8 are right)")
