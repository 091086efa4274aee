"""The tree in the terminal: words for every state, and lines that fit."""

import pytest
from rich.cells import cell_len

from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.terminal.lines import tree_lines
from minipaddle.tools.picture.terminal.tree import tree_rows
from minipaddle.tools.words.symbols import ASCII, UNICODE, symbols_for

EVERY_STATE = """
fine = paddle.to_tensor([1.0, -2.0], stop_gradient=False)
zero = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
cut = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
plain = paddle.to_tensor([1.0, 2.0])
layer = paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(2.0))
doubled = cut * 2
loss = (fine * plain * layer + zero * 0.0 + doubled.detach()).sum()
loss.backward()
"""

FAILED = """
x = paddle.to_tensor([1.0, -2.0], stop_gradient=False)
h = x * 2
e = h.exp()
e.add_(paddle.ones([2]))
try:
    (e.sum() + (x + 1).sum()).backward()
except RuntimeError:
    assert x.grad is None
"""


@pytest.fixture
def lines(record):
    """`lines(source)` returns the tree of a script, line by line."""

    def show(source, symbols=UNICODE, width=None, fold=False, sizes=False):
        trace = record(source)
        rows = tree_rows(mirror(trace), trace, symbols, fold=fold, sizes=sizes)
        return [line.plain for line in tree_lines(rows, symbols, width)]

    return show


def line_of(lines, name):
    (found,) = [line for line in lines if f" {name}  " in f" {line}"]
    return found


def test_a_tree(lines):
    source = """
    x = paddle.to_tensor([[1.0, 2.0]])
    W = paddle.to_tensor([[1.0], [3.0]], stop_gradient=False)
    h = x @ W
    loss = h.exp().sum()
    loss.backward()
    """
    assert lines(source) == [
        "loss  sum  []          1097  script.py:5",
        "└ exp_1  exp  [1, 1]   1097  script.py:5  saved: exp_1",
        "  └ h  matmul  [1, 1]  7     script.py:4  saved: x",
        "    ├ x  data  [1, 2]  no gradient (stop_gradient)",
        "    └ W  leaf  [2, 1]  grad [2, 1] 1097, 2193 ▅█",
    ]


def test_words_for_every_state_of_a_gradient(lines):
    shown = lines(EVERY_STATE)
    assert "fine  leaf  [2]" in line_of(shown, "fine")
    assert "grad [2] 2, 4" in line_of(shown, "fine")
    assert line_of(shown, "zero").endswith("grad [2] all zero")
    assert line_of(shown, "plain").endswith("no gradient (stop_gradient)")
    assert "  param  " in line_of(shown, "layer")


def test_a_leaf_that_gradient_does_not_reach(lines):
    shown = lines(
        """
        class Half(paddle.autograd.PyLayer):
            @staticmethod
            def forward(ctx, x, y):
                return x + y

            @staticmethod
            def backward(ctx, dy):
                return dy, None

        x = paddle.to_tensor([1.0], stop_gradient=False)
        y = paddle.to_tensor([1.0], stop_gradient=False)
        loss = Half.apply(x, y)
        loss.backward()
        """
    )
    assert "grad [1] 1" in line_of(shown, "x")
    assert line_of(shown, "y").endswith("gradient not reached")


def test_the_gradient_of_a_leaf_is_what_its_grad_holds(lines):
    shown = lines(
        "x = paddle.to_tensor([1.0], stop_gradient=False)\nfor k in (2.0, 3.0):\n    (x * k).backward()"
    )
    assert line_of(shown, "x").endswith("grad [1] 5 (added to what was there: 2)")


def test_a_pass_that_raised_has_stored_nothing(lines):
    shown = lines(FAILED)
    leaves = [line for line in shown if "x  leaf" in line]
    assert leaves
    assert all(line.endswith("gradient not stored: backward raised RuntimeError") for line in leaves)


def test_a_gradient_that_paddle_grad_returned_of_a_result(lines):
    begin = "x = paddle.to_tensor([1.0, 1.0], stop_gradient=False)\ny = x * x\nloss = (y * 1).sum()\n"
    shown = lines(begin + "paddle.grad(loss, [y])")
    assert line_of(shown, "y").endswith("saved: x  gradient returned: [2] 1, 1")
    assert not any("gradient returned" in line for line in lines(begin + "paddle.grad(loss, [x])"))


BROKEN_OFF = """
def refused(gradient):
    raise ValueError("no")

x, v, w, u = (paddle.to_tensor([1.0, 1.0], stop_gradient=False) for _ in range(4))
aside = u * 1
h = x * v
h.register_hook(refused)
loss = (h * w).sum()
try:
    loss.backward()
except OSError:
    pass
"""


def test_an_error_keeps_a_gradient_only_from_what_leads_to_the_loss(lines):
    shown = lines(BROKEN_OFF)
    assert line_of(shown, "x").endswith("gradient not reached: backward raised OSError")
    assert line_of(shown, "w").endswith("gradient not stored: backward raised OSError")
    assert line_of(shown, "u").endswith("gradient not reached")


RECURRENT = """
w = paddle.to_tensor([[0.5, 0.1], [0.2, 0.5]], stop_gradient=False)
u = paddle.to_tensor([[0.5, 0.1], [0.2, 0.5]], stop_gradient=False)
x = paddle.ones([300, 1, 2])
h = paddle.zeros([1, 2])
for t in range(300):
    h = paddle.tanh(paddle.matmul(h, w) + paddle.matmul(x[t], u) + 0.5)
h.sum().backward()
"""


def test_three_hundred_steps_are_one_with_a_count(lines):
    shown = lines(RECURRENT, fold=True)
    assert len(shown) <= 60
    [times] = [line for line in shown if "×" in line]
    assert times.strip("│└├ ").startswith("×299: the 9 lines above")
    assert {"w", "u", "x"} <= {line.strip("│└├ ").split()[0] for line in shown}


def test_the_longest_stands_last_only_where_lines_repeat(lines):
    source = "x = paddle.to_tensor([1.0], stop_gradient=False)\n(x.exp().exp() + x.sin()).backward()"
    titles = [line.strip("│└├ ").split()[1] for line in lines(source, fold=True)]
    assert titles == ["add", "exp", "exp", "leaf", "sin", "leaf"]


def test_what_is_used_twice_is_unfolded_once(lines, scripts):
    shown = lines(scripts["double"])
    assert sum("(see above)" in line for line in shown) >= 1
    assert sum("y  tanh" in line and "(see above)" not in line for line in shown) == 1


def test_the_root_is_what_backward_started_from(lines, scripts):
    assert lines(scripts["split"])[0].startswith("loss  sum  []")
    assert sum(line[0].isalpha() for line in lines(scripts["split"])) == 1


def test_backward_on_a_leaf(lines):
    assert lines("x = paddle.to_tensor(2.0, stop_gradient=False)\nx.backward()") == ["x  leaf  []  grad [] 1"]


@pytest.mark.parametrize("width", [200, 80, 60, 40, 25])
@pytest.mark.parametrize("symbols", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_no_line_is_wider_than_the_terminal(record, scripts, symbols, width):
    for source in (*scripts.values(), EVERY_STATE, scripts["chain"].replace("y", "梯度的名字很长很长")):
        trace = record(source)
        for line in tree_lines(tree_rows(mirror(trace), trace, symbols), symbols, width):
            assert cell_len(line.plain) <= width


def test_ascii_only_where_nothing_else_fits(lines):
    shown = "".join(lines(EVERY_STATE, symbols=symbols_for("ascii")))
    assert shown.isascii()
    assert "`- " in shown
    assert symbols_for("utf-8") is UNICODE
    assert symbols_for("no such encoding") is ASCII


def test_gbk_keeps_lines_and_bars(lines):
    shown = "".join(lines(EVERY_STATE, symbols=symbols_for("gbk")))
    assert shown.encode("gbk")
    assert "└ " in shown
    assert "█" in shown


def test_a_long_chain_does_not_walk_off_to_the_right(lines, scripts):
    shown = lines(scripts["chain"].replace("range(30)", "range(2000)"))
    assert max(map(len, shown)) < 120
    assert max(line.find("y  tanh") for line in shown) < 40
    (goes_on,) = [line for line in shown if "(goes on at #2)" in line]
    (there,) = [line for line in shown if line.startswith("#2 ")]
    assert "tanh  [2]" in goes_on
    assert goes_on.split()[goes_on.split().index("tanh") - 1] == there.split()[1]  # the name


def test_what_repeats_is_written_once(lines, scripts):
    shown = lines(scripts["chain"].replace("range(30)", "range(2000)"), fold=True)
    assert len(shown) < 8
    assert any("×2000: the line above" in line for line in shown)


BLOCKS = """
class Block(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = paddle.nn.Linear(2, 2)

    def forward(self, x):
        return x + paddle.tanh(self.fc(x))

net = paddle.nn.Sequential(*[Block() for _ in range(8)])
loss = net(paddle.ones([1, 2])).sum()
loss.backward()
"""


def test_a_round_is_a_whole_branch(lines):
    shown = lines(BLOCKS, fold=True)
    (rounds,) = [place for place, line in enumerate(shown) if "×7: the" in line and "lines above" in line]
    count = int(shown[rounds].split("the ")[1].split()[0])
    branch = shown[rounds - count : rounds]
    indent = shown[rounds].index("×")
    assert "tanh" in branch[0]
    assert branch[0][indent - 2 : indent] in ("├ ", "└ ")
    assert all(line[indent - 2 : indent] in ("│ ", "  ") for line in branch[1:])


def test_what_ran_inside_is_opened(lines, scripts):
    shown = lines(
        """
        class Twice(paddle.autograd.PyLayer):
            @staticmethod
            def forward(ctx, x):
                h = x + x
                return h * 1.0

            @staticmethod
            def backward(ctx, dy):
                return dy * 2

        x = paddle.to_tensor([1.0], stop_gradient=False)
        y = Twice.apply(x)
        y.backward()
        """
    )
    assert shown[1].strip() == "├ Twice.forward:"
    assert shown[2].startswith("│ ├ h  add  [1]")
    assert shown[3].startswith("│ └ scale_")


def test_what_came_before_is_found_by_its_number(lines):
    shown = lines(
        "x = paddle.to_tensor([4.0, 1.0], stop_gradient=False)\na, b = paddle.split(x * 2, 2)\n(a + b).backward()"
    )
    assert "#1  split" in line_of(shown, "a #1").replace("└ ", "").replace("├ ", "")
    assert "(see #1)" in line_of(shown, "b")


def test_a_shape_is_seen_before_a_whole_name(lines):
    name = "a_name_that_is_longer_than_most_names_are_in_scripts"
    source = (
        f"x = paddle.ones([3, 5])\nx.stop_gradient = False\n{name} = x * 2\n({name} * 2).sum().backward()"
    )
    shown = lines(source, width=50)
    assert "…  scale  [3, 5]  script.py:3" in shown[-2]


def test_bytes_that_are_kept(lines):
    shown = lines("x = paddle.ones([3])\nx.stop_gradient = False\nx.exp().sum().backward()", sizes=True)
    assert "saved: exp_1 (12 B)" in shown[1]


def test_names_cannot_steer_the_terminal(lines):
    shown = lines(
        """
        Evil = type("a\\x1b[31m\\nb\\u202e", (paddle.autograd.PyLayer,), {
            "forward": staticmethod(lambda ctx, x: x * 2), "backward": staticmethod(lambda ctx, dy: dy * 2)})
        x = paddle.to_tensor([1.0], stop_gradient=False)
        y = Evil.apply(x)
        y.backward()
        """
    )
    assert len(shown) == 4
    assert all(line.isprintable() for line in shown)


def test_what_leads_nowhere_stands_below(lines):
    shown = lines(
        "x = paddle.to_tensor([1.0], stop_gradient=False)\nu = paddle.to_tensor([1.0], stop_gradient=False)\n"
        "side = u * 2\n(x * 3).backward()"
    )
    assert shown[2].startswith("side  scale  [1]")
    assert shown[3].endswith("gradient not reached")


def test_a_pass_inside_a_pass_has_no_root_of_its_own(lines):
    shown = lines(
        """
        class Again(paddle.autograd.PyLayer):
            @staticmethod
            def forward(ctx, x):
                ctx.x = x.detach()
                return paddle.tanh(x)

            @staticmethod
            def backward(ctx, gradient):
                ctx.x.stop_gradient = False
                with paddle.enable_grad():
                    c = paddle.tanh(ctx.x)
                c.backward(gradient)
                return ctx.x.grad

        x = paddle.to_tensor([1.0], stop_gradient=False)
        Again.apply(x * 2).backward()
        """
    )
    assert shown[-1].strip().startswith("└ x  leaf")
    assert not any("not reached" in line for line in shown)


def test_what_paddle_grad_returned_is_not_called_grad(lines):
    shown = lines("x = paddle.to_tensor([1.0], stop_gradient=False)\npaddle.grad(x * 3, x)")
    assert "returned [1] 3" in shown[1]
    assert "grad [1]" not in shown[1]


def test_leaves_in_a_row_are_all_shown(lines):
    shown = lines(
        """
        a, b, c, d = (paddle.to_tensor([1.0], stop_gradient=False) for _ in range(4))
        y = paddle.concat([a, b, c, d])
        for _ in range(50):
            y = paddle.exp(-y)
        y.sum().backward()
        """,
        fold=True,
    )
    assert sum("leaf  [1]" in line for line in shown) == 4


def test_what_stands_above_with_its_own_lines_is_no_round(lines):
    source = """
x = paddle.to_tensor([2.0, -1.0], stop_gradient=False)
for k in range(30): a = a * x if k else x * x; b = a if k == 0 else b
(b.sin() + a).sum().backward()"""
    shown = lines(source, fold=True)
    [times] = [line.strip("│└├ ") for line in shown if "×" in line]
    assert times.startswith("×29: the 2 lines above"), "what b is stands above, under sin"
    assert len([line for line in shown if "(see " in line]) == 1
