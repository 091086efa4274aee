"""to_static of auto_parallel: a layer, its loss and its optimizer as one thing to call; here it runs eagerly, whole."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.paddle.nn.layer.layers import Layer


class DistModel:
    """Trains a step, evaluates or predicts when it is called, as its mode says.

    Args:
        layer: the net.
        loader: accepted.
        loss: a function of outputs and labels.
        optimizer: updates the parameters of `layer`.
        strategy: kept.
    """

    def __init__(
        self, layer: Layer, loader: Any = None, loss: Any = None, optimizer: Any = None, strategy: Any = None
    ) -> None:
        self._layer, self._loss, self._optimizer = layer, loss, optimizer
        self.strategy = strategy
        self._mode = "predict" if loss is None else "eval" if optimizer is None else "train"
        self._switch()

    def train(self) -> None:
        """Train a step at each call, which returns the loss.

        Raises:
            RuntimeError: **train mode** needs a loss and an optimizer.
        """
        if self._loss is None or self._optimizer is None:
            raise failure(RuntimeError, "train mode needs a loss and an optimizer.")
        self._mode = "train"
        self._switch()

    def eval(self) -> None:
        """Return the loss at each call.

        Raises:
            RuntimeError: **eval mode** needs a loss.
        """
        if self._loss is None:
            raise failure(RuntimeError, "eval mode needs a loss.")
        self._mode = "eval"
        self._switch()

    def predict(self) -> None:
        """Return the outputs at each call."""
        self._mode = "predict"
        self._switch()

    def _switch(self) -> None:
        if self._mode == "train":
            self._layer.train()
        else:
            self._layer.eval()

    def __call__(self, *args: Any) -> Any:
        """Return the loss of inputs and labels, the last of `args`; in the mode "predict" the outputs."""
        if self._mode == "predict":
            return self._layer(*args)
        outputs = self._layer(*args[:-1])
        loss = self._loss(outputs, args[-1])
        if self._mode == "train":
            loss.backward()
            self._optimizer.step()
            self._optimizer.clear_grad()
        return loss

    def state_dict(self, mode: str = "all") -> dict[str, Any]:
        """Return the parameters ("param"), the state of the optimizer ("opt"), or both."""
        found: dict[str, Any] = {} if mode == "opt" else dict(self._layer.state_dict())
        if mode != "param" and self._optimizer is not None:
            found.update(self._optimizer.state_dict())
        return found

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load what `state_dict` returned."""
        names = set(self._layer.state_dict())
        self._layer.set_state_dict({name: value for name, value in state_dict.items() if name in names})
        if self._optimizer is not None:
            self._optimizer.set_state_dict(
                {name: value for name, value in state_dict.items() if name not in names}
            )


def to_static(
    layer: Layer,
    loader: Any = None,
    loss: Any = None,
    optimizer: Any = None,
    strategy: Any = None,
    input_spec: Any = None,
) -> DistModel:
    """Return a DistModel: with loss and optimizer it trains, with a loss it evaluates, else it predicts.

    Args:
        layer: the net.
        loader: accepted.
        loss: a function of outputs and labels.
        optimizer: updates the parameters.
        strategy: kept.
        input_spec: accepted.
    """
    return DistModel(layer, loader, loss, optimizer, strategy)
