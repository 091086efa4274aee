# hint: A note sends its gradient on before all its users have reported: take the latest note first.
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
    waiting, seen = [y], set()
    while waiting:
        note = waiting.pop()
        for operand, slope in note.operands:
            operand.grad += note.grad * slope
            if id(operand) not in seen:
                seen.add(id(operand))
                waiting.append(operand)
