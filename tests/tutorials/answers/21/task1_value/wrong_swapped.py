# hint: The rules of `a * b` are swapped: the slope for `a` is `b`.
import numpy as np


class Value:
    made = 0

    def __init__(self, data, operands=(), rules=()):
        self.data, self.operands, self.rules = np.asarray(data, float), operands, rules
        self.grad, self.number, Value.made = 0.0, Value.made, Value.made + 1

    def accumulate(self, grad):
        self.grad = self.grad + grad

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), (lambda dy: dy, lambda dy: dy))

    def __sub__(self, other):
        return Value(self.data - other.data, (self, other), (lambda dy: dy, lambda dy: -dy))

    def __mul__(self, other):
        rules = lambda dy: dy * self.data, lambda dy: dy * other.data
        return Value(self.data * other.data, (self, other), rules)

    def __truediv__(self, other):
        rules = lambda dy: dy / other.data, lambda dy: -dy * self.data / other.data**2
        return Value(self.data / other.data, (self, other), rules)

    def exp(self):
        y = np.exp(self.data)
        return Value(y, (self,), (lambda dy: dy * y,))

    def log(self):
        return Value(np.log(self.data), (self,), (lambda dy: dy / self.data,))

    def tanh(self):
        y = np.tanh(self.data)
        return Value(y, (self,), (lambda dy: dy * (1 - y * y),))

    def relu(self):
        return Value(np.maximum(self.data, 0), (self,), (lambda dy: dy * (self.data > 0),))
