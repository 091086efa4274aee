# hint: The last user wipes out what the others sent: add with `+=`.
tape = []


class Note:
    def __init__(self, value, *operands):
        self.value, self.operands, self.grad = value, operands, 0.0
        tape.append(self)

    def __add__(self, other):
        return Note(self.value + other.value, (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        return Note(self.value * other.value, (self, other.value), (other, self.value))


def walk(y):
    y.grad = 1.0
    for note in reversed(tape):
        for operand, slope in note.operands:
            operand.grad = note.grad * slope
