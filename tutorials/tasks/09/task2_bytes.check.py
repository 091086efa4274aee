"""Grader of task2_bytes.py: the number, beside what such a network really keeps."""

import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Go through one round: what does `h @ w` keep for the gradient of `w`, and what does `tanh` keep for its slope?",
    "`tanh` keeps its result, and the next product keeps the same array as its operand: it counts once.",
    "Count the arrays first, one for each layer and one before them; then the numbers in each; then the bytes.",
)


def answer(student, rows, width, layers):
    return student.kept(rows, width, layers)


def counted(rows, width, layers):
    """Return what such a network really keeps."""
    noted = {}

    def pack(tensor):
        noted[tensor.numpy().tobytes()] = tensor.shape[0]
        return tensor

    h = paddle.randn([rows, width])
    weights = [paddle.randn([width, width]) for _ in range(layers)]
    for w in weights:
        w.stop_gradient = False
    with paddle.autograd.saved_tensors_hooks(pack, lambda tensor: tensor):
        for w in weights:
            h = paddle.tanh(h @ w)
        h.mean()
    return sum(len(array) for array, first in noted.items() if first == rows)


def mistake(given, rows, width, layers):
    array = 4 * rows * width
    if close(given, counted(rows, width, layers)):
        return None
    if close(given, layers * array):
        return "The first product keeps `x`: the gradient of its weight asks for it."
    if close(given, (2 * layers + 1) * array):
        return (
            "Nobody asks for the product itself: the slope of `tanh` is `1 - y * y`, and `y` is its result."
        )
    if close(given, 2 * layers * array):
        return "What one operator keeps as its result and the next as its operand is one array."
    if close(given, (layers + 1) * rows * width):
        return "Those are numbers; a float32 has 4 bytes."
    if close(given, (layers + 1) * array + 4 * layers * width * width):
        return "The weights are not to be counted."
    return "That is not what the network keeps."


@claim(70, "a deep network")
def deep(ask, draw):
    rows, layers = int(draw.integers(20, 40)), int(draw.integers(4, 9))
    return mistake(ask(answer, rows, 8, layers), rows, 8, layers)


@claim(30, "one layer")
def one(ask, draw):
    rows = int(draw.integers(20, 40))
    return mistake(ask(answer, rows, 16, 1), rows, 16, 1)
