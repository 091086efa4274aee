# hint: The value of `a - b` is wrong.
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
        return Note(1.0, (self, 1.5), (other, -1.5))

    def __truediv__(self, other):
        return Note(0.5, (self, 1.0), (other, -0.25))

    def __pow__(self, exponent):
        return Note(1.0, (self, 1.0))

    def relu(self):
        return Note(1.0, (self, 1.0))


def walk(y):
    y.grad = 1.0
    for note in reversed(tape):
        for operand, slope in note.operands:
            operand.grad += note.grad * slope
