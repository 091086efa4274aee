# hint: The slope of `a ** n` lacks the factor `n`.
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
        return Note(self.value - other.value, (self, 1.0), (other, -1.0))

    def __truediv__(self, other):
        slope = -self.value / other.value**2
        return Note(self.value / other.value, (self, 1.0 / other.value), (other, slope))

    def __pow__(self, exponent):
        return Note(self.value**exponent, (self, self.value ** (exponent - 1)))

    def relu(self):
        return Note(max(self.value, 0.0), (self, 1.0 if self.value > 0 else 0.0))


def walk(y):
    y.grad = 1.0
    for note in reversed(tape):
        for operand, slope in note.operands:
            operand.grad += note.grad * slope
