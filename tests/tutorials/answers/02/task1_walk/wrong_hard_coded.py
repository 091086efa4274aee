# hint: In a chain every slope multiplies; yours does not.
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
    for note in tape:
        note.grad = 26.0
