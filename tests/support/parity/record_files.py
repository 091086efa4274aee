"""Save small `.pdparams` and `.pdopt` files by real Paddle into `files/`, with their arrays as `.npz`.

    OMP_NUM_THREADS=1 /tmp/paddle33/bin/python -m tests.support.parity.record_files    (see `record.py` for the venv)
    OMP_NUM_THREADS=1 /tmp/paddle26/bin/python -m tests.support.parity.record_files    (paddlepaddle==2.6.2)

Names begin with the release. An `.npz` has one entry per leaf of the nested object, called by its path:
`deep/list/1`.
"""

from typing import Any

import numpy as np
import paddle

from tests.support.parity import FILES
from tests.support.parity.kit import data, frozen


def make_net() -> Any:
    """Linear and BatchNorm; the test builds the same one."""
    return paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.BatchNorm1D(4), paddle.nn.Linear(4, 2))


def batch() -> Any:
    """[5, 3] float32."""
    return frozen(data(5, 3), "float32")


def trained() -> tuple[Any, Any]:
    """The net and its optimizer after three steps, so that no state is at its initial value."""
    paddle.seed(1)
    net = make_net()
    schedule = paddle.optimizer.lr.StepDecay(0.1, step_size=2)
    adam = paddle.optimizer.Adam(schedule, parameters=net.parameters())
    for _ in range(3):
        (net(batch()) ** 2).sum().backward()
        adam.step()
        adam.clear_grad()
        schedule.step()
    net.eval()
    return net, adam


def leaves(value: Any, path: str = "") -> dict[str, np.ndarray]:
    """Every leaf of nested dicts, lists, tuples, by path; None as an empty array."""
    if isinstance(value, (dict, list, tuple)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        found = [leaves(item, f"{path}/{key}" if path else str(key)) for key, item in items]
        return {name: array for part in found for name, array in part.items()}
    if value is None:
        return {path: np.zeros(0)}
    return {path: np.asarray(value.numpy() if isinstance(value, paddle.Tensor) else value)}


def nested() -> dict[str, Any]:
    """What users put into checkpoints besides weights."""
    return {
        "epoch": 3,
        "loss": 0.25,
        "name": "run",
        "best": None,
        "done": True,
        "weight": frozen(data(2, 3)),
        "deep": {"list": [frozen([1, 2]), np.arange(3)], "tuple": (1.5, frozen(data(2), "float16"))},
    }


def main() -> None:
    """Write every file of this release."""
    FILES.mkdir(exist_ok=True)
    net, adam = trained()
    objects = {
        "net.pdparams": net.state_dict(),
        "adam.pdopt": adam.state_dict(),
        "nested.pdparams": nested(),
        "tensor.pdparams": frozen(data(2, 2), "float32"),
    }
    for name, value in objects.items():
        stem = FILES / f"{paddle.__version__}-{name}"
        paddle.save(value, str(stem))
        np.savez_compressed(f"{stem}.npz", **leaves(value))
    paddle.save(net.state_dict(), str(FILES / f"{paddle.__version__}-net-protocol2.pdparams"), protocol=2)
    np.savez_compressed(FILES / f"{paddle.__version__}-answer.npz", out=net(batch()).numpy())


if __name__ == "__main__":
    main()
