# %% [markdown]
# # Notes for four more operators
#
# The tape of lesson 2 knows `+` and `*`. Teach it four more: `-`, `/`, `**` with a plain number as exponent,
# and `relu`. A note is made of its value and of a pair for each operand: the operand, and its slope.
#
# The walk is there already. All you write is values and slopes.

# %%
tape = []


class Note:
    def __init__(self, value, *operands):
        self.value, self.operands, self.grad = value, operands, 0.0
        tape.append(self)

    def __add__(self, other):
        return Note(self.value + other.value, (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        return Note(self.value * other.value, (self, other.value), (other, self.value))

    def __sub__(self, other):
        # self minus other
        ...

    def __truediv__(self, other):
        # self divided by other
        ...

    def __pow__(self, exponent):
        # exponent is a number, and no note
        ...

    def relu(self):
        # the value itself if it is positive, else 0
        ...


# %%
def walk(y):
    y.grad = 1.0
    for note in reversed(tape):
        for operand, slope in note.operands:
            operand.grad += note.grad * slope


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    a, b = Note(3.0), Note(2.0)
    y = (a - b) ** 3 / b
    walk(y)
    print("value:    ", y.value, "(0.5 is right)")
    print("gradients:", a.grad, b.grad, "(1.5 and -1.75 are right)")
