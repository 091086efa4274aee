# %% [markdown]
# # How many roads lead home?
#
# The tape is a web. In `h * h + h` the note of `h` stands once, and three roads lead to it: so lesson 1 printed it
# three times.
#
# Complete `roads`: in how many ways does one get from a note down to a leaf? `note.next_functions` are the notes of its
# operands, or `None` for an operand that requires no gradient. A road ends at a note whose `name()` is
# `"GradNodeAccumulation"`.

# %%
import paddle


def roads(note):
    # from this note to the ends
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    w = paddle.to_tensor(3.0, stop_gradient=False)
    h = w * 2
    print("roads:", roads((h * h + h).grad_fn), "(3 is right)")
