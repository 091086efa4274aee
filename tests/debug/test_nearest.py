"""Suggestions: the nearest names, also among very many."""

from minipaddle.engine.names.public import nearest

MANY = [f"{op}_{number}" for op in ("matmul", "add", "relu", "softmax") for number in range(3000)]


def test_the_best_comes_first():
    assert nearest("matmul_3x", ["add_1", "matmul_30", "matmul_3"]) == ["matmul_3", "matmul_30"]
    assert nearest("nothing like it", ["add_1"]) == []


def test_a_slip_at_the_beginning_in_the_middle_or_at_the_end_is_seen_among_many():
    for slip in ("natmul_1234", "matmal_1234", "matmul_123x", "matmul1234"):
        assert any(name.startswith("matmul_12") or name.endswith("1234") for name in nearest(slip, MANY)), (
            slip
        )
    assert nearest("natmul_1234", MANY)[0] == "matmul_1234"
    assert nearest("loss_", [*MANY, "loss"]) == ["loss"]


def test_the_order_of_the_names_does_not_matter():
    assert nearest("relu_77x", MANY) == nearest("relu_77x", MANY[::-1])
