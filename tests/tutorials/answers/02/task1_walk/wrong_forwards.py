# hint: The walk goes the wrong way: nothing has arrived at a note when it sends its gradient on.
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
    for note in tape:
        for operand, slope in note.operands:
            operand.grad += note.grad * slope
