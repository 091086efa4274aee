"""Checkpoints written by real Paddle 3.3.1 and 2.6.2 load, with the arrays Paddle had."""

import numpy as np
import pytest

import minipaddle
from minipaddle.importer import paddle_is_minipaddle
from tests.support.parity import FILES

with paddle_is_minipaddle():  # the recorder says `import paddle`
    from tests.support.parity.record_files import batch, leaves, make_net

SAVED = sorted(path.stem for path in FILES.glob("*.pd*.npz"))
RELEASES = ["2.6.2", "3.3.1"]


def arrays(name):
    with np.load(FILES / name, allow_pickle=False) as stored:
        return dict(stored)


def same(found, wanted):
    assert found.keys() == wanted.keys()
    for name, array in wanted.items():
        assert found[name].dtype == array.dtype, name
        np.testing.assert_array_equal(found[name], array, err_msg=name)


def test_both_releases_are_here():
    assert {name.partition("-")[0] for name in SAVED} == set(RELEASES)
    assert len(SAVED) == 8


@pytest.mark.parametrize("name", SAVED)
@pytest.mark.parametrize("return_numpy", [False, True])
def test_loads_with_the_same_arrays(name, return_numpy):
    found = minipaddle.paddle.load(str(FILES / name), return_numpy=return_numpy)
    same(leaves(found), arrays(f"{name}.npz"))


@pytest.mark.parametrize("release", RELEASES)
def test_tensors_come_back_as_tensors(release):
    found = minipaddle.paddle.load(str(FILES / f"{release}-nested.pdparams"))
    assert isinstance(found["weight"], minipaddle.paddle.Tensor)
    assert isinstance(found["deep"]["tuple"], tuple)
    assert found["best"] is None
    assert found["name"] == "run"
    assert found["done"] is True


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("name", ["net", "net-protocol2"])
def test_a_net_answers_as_it_did_in_paddle(release, name):
    net = make_net()
    net.set_state_dict(minipaddle.paddle.load(str(FILES / f"{release}-{name}.pdparams")))
    net.eval()
    np.testing.assert_allclose(
        net(batch()).numpy(), arrays(f"{release}-answer.npz")["out"], rtol=1e-5, atol=1e-6
    )


@pytest.mark.parametrize("release", RELEASES)
def test_the_optimizer_state_names_its_schedule(release):
    state = minipaddle.paddle.load(str(FILES / f"{release}-adam.pdopt"))
    assert state["LR_Scheduler"]["last_epoch"] == 3
