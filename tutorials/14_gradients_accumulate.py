# %% [markdown]
# # 14. Gradients accumulate
#
# You will see a gradient that nobody cleared, a tape that is read twice, and a value whose `.grad` is `None`.
# Tutorial 13 said that `clear_grad` makes room for the next pass; now you see what happens without it.
#
# New names: `retain_graph`, `retain_grads`, `detach`.
#
#     minipaddle run tutorials/14_gradients_accumulate.py
#     minipaddle graph tutorials/14_gradients_accumulate.py
#     minipaddle step tutorials/14_gradients_accumulate.py --passes all -c "goto w.grad" -c "goto w.grad" -c why
#
# **Goals:** you can say what `backward` adds, what it frees, and what it keeps. **Before:** tutorials 1, 2 and 9.
# **Time:** 20 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import paddle

w = paddle.to_tensor(3.0, dtype="float64", stop_gradient=False)

# %% [markdown]
# ## Pass after pass is added
#
# The slope of `w * w` is `2 * w`, so 6 at 3. Now the same loss is computed twice, each time with its `backward`.
#
# **Guess:** what does `w.grad` say after the first pass, and what after the second?

# %%
seen = []
for _ in range(2):
    (w * w).backward()
    seen.append(w.grad.item())
print("after each pass:", seen)

# %% [markdown]
# `backward` adds to `.grad`; it never replaces it. That is useful: four small batches give the gradient of one
# large batch, if their losses are divided by four. It is a trap, too: who forgets `clear_grad` steps with old sums.
#
# **Guess:** the mean over four numbers at once, and a quarter of each by itself: which gradient is larger?

# %%
data = [1.0, 2.0, 3.0, 6.0]
w.clear_grad()
((paddle.to_tensor(data, dtype="float64") * w) ** 2).mean().backward()
at_once = w.grad.item()
w.clear_grad()
for number in data:
    ((number * w) ** 2 / 4).backward()
in_pieces = w.grad.item()
print("at once:", at_once, "in four passes:", in_pieces)

# %% [markdown]
# ## A tape can be read once
#
# So far every pass made a new product, and with it a new tape. Now two passes want to read the same one.
# **Guess:** does the second pass give 12, or 6 again, or something else?


# %%
def twice(keep):
    w.clear_grad()
    y = w * w
    y.backward(retain_graph=keep)
    try:
        y.backward()
    except SystemError:
        return "SystemError", w.grad.item()
    return "no error", w.grad.item()


answers = twice(keep=False), twice(keep=True)
print("freed:", *answers[0], " kept:", *answers[1])

# %% [markdown]
# Reading frees what the rungs held, for tutorial 9 showed how much that is. `retain_graph=True` keeps it for one
# more reading, and then the passes are added as before. If you did not plan two passes, compute the loss again.
#
# ## Values in between keep no gradient
#
# In `h = w * 2` and `y = h * h + h` only `w` is a **leaf**: no operator made it. Tutorial 1 found 26 for it.
# **Guess:** the gradient of `h` is 13, as tutorial 2 was told. What does `h.grad` say?

# %%
h = w * 2
(h * h + h).backward()
forgotten = h.grad
h = w * 2
h.retain_grads()
(h * h + h).backward()
retained = h.grad.item()
print("is w a leaf?", w.is_leaf, " is h?", h.is_leaf, " h.grad:", forgotten, " retained:", retained)

# %% [markdown]
# It was computed, handed on and forgotten, for a network has many. `retain_grads` asks to keep it.
#
# ## A value that is a mere number from here on
#
# `h.detach()` has the number of `h` and no tape behind it. Under `no_grad` no tape is written in the first place.
# **Guess:** `h * w` is `2 * w * w`, with slope 12 at 3. What is left of the 12 when `h` is detached?

# %%
w.clear_grad()
h = w * 2
x = h.detach()
(x * w).backward()
with paddle.no_grad():
    silent = w * 2
print("detached:", w.grad.item(), " x is a leaf:", x.is_leaf, " under no_grad:", silent.grad_fn)

# %% [markdown]
# **Summary:** passes add to `.grad`. A pass frees its tape unless told otherwise. Only leaves keep their gradient.
# **What next:** `step` shows each addition at its place. Another sum hides in every bias: tutorial 15.

# %%
assert seen == [6.0, 12.0], "the second pass was added to the first"
assert at_once == in_pieces == 75.0, "four small passes are one large one"
assert answers == (("SystemError", 6.0), ("no error", 12.0)), "a tape that was freed cannot be read"
assert (forgotten, retained) == (None, 13.0), "h is no leaf"
assert w.grad.item() == 6.0, "only the road past h is left"
assert silent.stop_gradient, "nothing was written down"
