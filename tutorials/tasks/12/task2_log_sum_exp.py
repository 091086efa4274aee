# %% [markdown]
# # A formula that overflows, and one that does not
#
# The logarithm of a sum of exponentials stands in every softmax: `log(exp(x[0]) + exp(x[1]) + ...)`. Written like
# that it overflows: `exp(1000)` is infinite.
#
# Complete `log_sum_exp`: for `x` of shape [n, d] it returns the value for each row, of shape [n], for numbers of
# any size. The trick: take the largest number of the row away from all, and add it again at the end.

# %%
import paddle


def log_sum_exp(x):
    # one number for each row
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    x = paddle.to_tensor([[0.0, 0.0], [1000.0, 999.0]], stop_gradient=False)
    y = log_sum_exp(x)
    y.sum().backward()
    print("value:", y.numpy(), "(0.693, 1000.313 is right)")
    print("gradient:", x.grad.tolist())
