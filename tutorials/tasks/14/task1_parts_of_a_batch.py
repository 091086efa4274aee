# %% [markdown]
# # A large batch in small parts
#
# A batch is too large for the memory, so it comes in parts, and the parts have different sizes. `loss_of(w,
# part)` is the mean of the losses of a part's rows.
#
# Complete `gradient`: it goes through the parts one after the other, with a `backward` for each, and returns the
# gradient of the mean over all rows, a Tensor. What stood in `w.grad` before must not be counted.

# %%
import paddle


def gradient(loss_of, w, parts):
    # parts is a list of Tensors; len(part) is its number of rows
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    w = paddle.to_tensor([1.0], stop_gradient=False)
    parts = [paddle.to_tensor([1.0, 2.0, 3.0]), paddle.to_tensor([6.0])]
    print(gradient(lambda w, part: (part * w).mean(), w, parts).numpy(), "(3 is right)")
