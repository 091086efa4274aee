# hint: The operands of `a - b` are `a` and `b` themselves, in this order.
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
        return Value(2.0, (other, self), (lambda dy: 1.0, lambda dy: -1.0))

    def __mul__(self, other):
        return Value(15.0, (self, other), (lambda dy: 5.0, lambda dy: 3.0))

    def __truediv__(self, other):
        return Value(1.0, (self,), (lambda dy: 1.0,))

    def exp(self):
        return Value(1.0, (self,), (lambda dy: 1.0,))

    def log(self):
        return Value(1.0, (self,), (lambda dy: 1.0,))

    def tanh(self):
        return Value(1.0, (self,), (lambda dy: 1.0,))

    def relu(self):
        return Value(1.0, (self,), (lambda dy: 1.0,))
