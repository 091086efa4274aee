"""The tensor checker: what it looks at, and what it does then. (The lines are Paddle 3.3.1's.)"""

import pytest

from minipaddle import paddle
from minipaddle.engine.core.eager import current

D = paddle.amp.debugging
Mode = D.DebugMode
LOG = (
    "[PRECISION] [ERROR] in [device=cpu, op=log, tensor=, dtype=fp32], numel=3, num_nan=3, num_inf=0, num_zero=0, "
    "max=nan, min=nan, mean=nan"
)
DIVIDE = (
    "[PRECISION] [ERROR] in [device=cpu, op=divide, tensor=, dtype=fp32], numel=3, num_nan=0, num_inf=1, num_zero=0, "
    "max=inf, min=2.000060e+05, mean=inf"
)
LARGE = (
    "[PRECISION] in [device=cpu, op=scale, tensor=, dtype=fp32], numel=3, num_zero=0, "
    "max=1.000030e+05, min=1.000000e+05, mean=1.000013e+05"
)


@pytest.fixture(autouse=True)
def counted_from_zero(monkeypatch):
    monkeypatch.setattr(D.TensorCheckerConfig, "current_step_id", 0)
    before = current.get()
    paddle.seed(7)
    yield
    assert current.get() is before


def lines(capsys, **options):
    """Run three lines under a checker and return what is written."""
    D.enable_tensor_checker(D.TensorCheckerConfig(True, **options))
    try:
        x, y = paddle.to_tensor([1, 0, 3.0]), paddle.to_tensor([0.2, 0, 0.5])
        paddle.log(x * 0.0 - 1)
        (x + 100000.0) / y
    finally:
        D.disable_tensor_checker()
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == "AMP Debugging TensorCheckerConfig: seed  7"
    return rest


def test_a_line_for_each_result_that_is_not_finite(capsys):
    assert lines(capsys, debug_mode=Mode.CHECK_NAN_INF) == [LOG, DIVIDE]
    assert lines(capsys, debug_mode=Mode.CHECK_NAN_INF, checked_op_list=["log"]) == [LOG]
    assert lines(capsys, debug_mode=Mode.CHECK_NAN_INF, skipped_op_list=["log"]) == [DIVIDE]
    assert lines(capsys, debug_mode=Mode.CHECK_ALL_FOR_OVERFLOW) == [LOG, LARGE, DIVIDE]
    assert len(lines(capsys, debug_mode=Mode.CHECK_ALL)) == 5
    assert not capsys.readouterr().out


def test_the_first_one_raises(capsys):
    with pytest.raises(RuntimeError, match=r"There are NAN or INF \(num_nan=3.*op=log"):
        lines(capsys)


def test_gradients_are_looked_at_too(capsys):
    x = paddle.to_tensor([0.0, 4.0], stop_gradient=False)
    D.enable_tensor_checker(D.TensorCheckerConfig(True, Mode.CHECK_NAN_INF))
    paddle.sqrt(x).sum().backward()
    D.disable_tensor_checker()
    assert "op=sqrt_grad, tensor=, dtype=fp32], numel=2, num_nan=0, num_inf=1" in capsys.readouterr().out


def test_lines_go_into_a_directory(capsys, tmp_path):
    assert lines(capsys, debug_mode=Mode.CHECK_NAN_INF, output_dir=str(tmp_path / "new")) == []
    assert (tmp_path / "new" / "worker_cpu").read_text().splitlines() == [LOG, DIVIDE]


def test_steps_are_counted(capsys):
    found = [lines(capsys, debug_mode=Mode.CHECK_NAN_INF, debug_step=[0, 2]) for _ in range(3)]
    assert found == [[LOG, DIVIDE], [LOG, DIVIDE], []]
    D.enable_tensor_checker(D.TensorCheckerConfig(False))
    paddle.log(paddle.to_tensor(-1.0))
    assert not capsys.readouterr().out


def test_random_numbers_begin_again(capsys):
    D.TensorCheckerConfig(True)
    first = paddle.rand([3]).tolist()
    D.TensorCheckerConfig(True)
    assert paddle.rand([3]).tolist() == first
    paddle.seed(2**40)
    assert D.TensorCheckerConfig(True).seed == 123
    assert "[Warning: Seed must be between 0 and 2**32 - 1" in capsys.readouterr().out


def test_bad_settings():
    with pytest.raises(ValueError, match="debug_step must be list or tuple"):
        D.TensorCheckerConfig(True, debug_step=3)
    with pytest.raises(ValueError, match="checked_op_list must be list or tuple"):
        D.TensorCheckerConfig(True, checked_op_list="log")
    with pytest.raises(AssertionError):
        D.TensorCheckerConfig(True, debug_step=[3, 1])


def test_two_logs_beside_each_other(capsys, tmp_path):
    for dtype in ("float32", "float16"):
        x = paddle.to_tensor([300.0, 2.0], dtype)
        D.enable_tensor_checker(D.TensorCheckerConfig(True, Mode.CHECK_ALL, str(tmp_path / dtype)))
        paddle.square(x)
        paddle.tanh(x)
        D.disable_tensor_checker()
    table = tmp_path / "table.csv"
    D.compare_accuracy(str(tmp_path / "float32"), str(tmp_path / "float16"), str(table))
    assert capsys.readouterr().out.splitlines()[-1] == "-- OP Types produce infinite outputs: ['square']"
    head, square, tanh = [line.split(",") for line in table.read_text().splitlines()]
    assert len(head) == len(square) == len(tanh)
    found = dict(zip(head[:11], square, strict=False))
    assert (found["op_type"], found["numel"], found["infinite"]) == ("square", "2", "1")
    assert (found["dtype"], found["max_value"], square[11:13]) == ("fp32", "9.000000e+04", ["fp16", "inf"])
    assert (tanh[3], tanh[-3]) == ("0", "1.000000")
    with pytest.raises(ValueError, match="no log"):
        D.compare_accuracy(str(tmp_path / "nowhere"), str(tmp_path), str(table))
