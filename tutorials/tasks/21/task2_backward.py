# %% [markdown]
# # Your own tape, 2: the reverse walk
#
# Write `backward(result)`. It sets `result.grad` to ones, finds all values behind the result, and visits them
# from the last made to the first: `number` says when a value was made. At each, every rule is asked once, and
# its answer is given to the operand by `accumulate`.
#
# The tape may be thousands of values deep, and a value may have many users. `Value` is yours, from task 1.

# %%
import numpy as np
from task1_value import Value


# %%
def backward(result):
    # find all values behind the result; then ask their rules, the last made first
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    w = Value(3.0)
    h = w * Value(2.0)
    backward(h * h + h)
    print("gradient of w:", w.grad, "(26 is right)")
