"""paddle.summary: the table of Paddle 3.3.1 for the same net."""

import pytest

from minipaddle import paddle
from minipaddle.paddle import nn


def net():
    return nn.Sequential(
        nn.Conv2D(1, 6, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2D(2, 2),
        nn.BatchNorm2D(6),
        nn.Flatten(),
        nn.Linear(6 * 196, 10),
    )


LINES = [
    ("Conv2D", "[[1, 1, 28, 28]]", "[1, 6, 28, 28]", "60"),
    ("ReLU", "[[1, 6, 28, 28]]", "[1, 6, 28, 28]", "0"),
    ("MaxPool2D", "[[1, 6, 28, 28]]", "[1, 6, 14, 14]", "0"),
    ("BatchNorm2D", "[[1, 6, 14, 14]]", "[1, 6, 14, 14]", "24"),
    ("Flatten", "[[1, 6, 14, 14]]", "[1, 1176]", "0"),
    ("Linear", "[[1, 1176]]", "[1, 10]", "11,770"),
]


def test_the_table_says_what_paddle_says(capsys):
    assert paddle.summary(net(), (None, 1, 28, -1 * -28)) == {
        "total_params": 11854,
        "trainable_params": 11842,
    }
    out = capsys.readouterr().out
    rows = [line for line in out.splitlines() if "[" in line]
    for row, (title, inputs, output, params) in zip(rows, LINES, strict=True):
        assert row.split("-")[0].strip() == title
        assert inputs in row
        assert row.index(output, row.index(inputs) + len(inputs)) > 0
        assert row.split()[-1] == params
    assert "Total params: 11,854\nTrainable params: 11,842\nNon-trainable params: 12\n" in out
    assert "Forward/backward pass size (MB): 0.10\nParams size (MB): 0.05\n" in out
    assert "Estimated Total Size (MB): 0.15" in out


class Two(nn.Layer):
    """Two inputs, two outputs, one layer used twice, a parameter of its own."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)
        self.scale = self.create_parameter([5])

    def forward(self, x, y):
        return self.inner(self.inner(x)), y


def test_several_inputs_shared_layers_own_parameters(capsys):
    assert paddle.summary(Two(), [(2, 3), (4,)], dtypes=["float32", "int64"])["total_params"] == 17
    rows = [line for line in capsys.readouterr().out.splitlines() if "[" in line]
    assert len(rows) == 2
    assert "[[2, 3], [4]]" in rows[1]


def test_the_last_call_of_a_layer_is_shown(capsys):
    class Twice(nn.Layer):
        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(4, 4)

        def forward(self, x):
            return self.inner(self.inner(x)[:1])

    paddle.summary(Twice(), (3, 4))
    (row,) = [line for line in capsys.readouterr().out.splitlines() if "[" in line]
    assert "[[1, 4]]" in row


@pytest.mark.parametrize(("look", "draws"), [(paddle.summary, paddle.rand), (paddle.flops, paddle.randn)])
def test_the_inputs_are_drawn_from_the_stream_of_the_seed(look, draws, capsys):
    small = nn.Sequential(nn.Linear(4, 4), nn.Dropout())
    paddle.seed(5)
    look(small, [2, 4])
    after = paddle.rand([2])
    paddle.seed(5)
    draws([2, 4])
    assert after.tolist() == paddle.rand([2]).tolist()


@pytest.mark.parametrize(
    "given", [[paddle.ones([2, 3]), paddle.ones([4])], {"x": paddle.ones([2, 3]), "y": None}]
)
def test_the_input_itself(given, capsys):
    assert paddle.summary(Two(), input=given)["trainable_params"] == 17
    assert "[2, 3]" in capsys.readouterr().out


def test_the_net_is_left_as_it_was(capsys):
    model = net()
    model[3].eval()
    mean = model[3]._mean.numpy()
    paddle.summary(model, (2, 1, 28, 28))
    assert model.training
    assert not model[3].training
    assert (model[3]._mean.numpy() == mean).all()
    assert all(parameter.grad is None for parameter in model.parameters())
    capsys.readouterr()
    model(paddle.ones([2, 1, 28, 28]))
    assert capsys.readouterr().out == ""


def test_errors():
    with pytest.raises(ValueError, match="cannot be None at the same time"):
        paddle.summary(net())
    with pytest.raises(TypeError, match="input_size"):
        paddle.summary(net(), "x")
