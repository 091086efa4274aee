"""The work of a Model on one batch: forward, loss, backward, metrics; batches from a Dataset, and their conversion."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.errors import failure, invalid
from minipaddle.engine.tensor.creation import to_tensor
from minipaddle.engine.tensor.grad_mode import no_grad
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array
from minipaddle.paddle.amp.casting import auto_cast
from minipaddle.paddle.amp.grad_scaler import GradScaler
from minipaddle.paddle.io.dataset import Dataset
from minipaddle.paddle.io.loader import DataLoader
from minipaddle.paddle.metric.metrics import Metric
from minipaddle.paddle.nn import Layer

CASTING = ("custom_white_list", "custom_black_list", "dtype", "use_promote")
SCALING = (
    "init_loss_scaling", "incr_ratio", "decr_ratio", "incr_every_n_steps", "decr_every_n_nan_or_inf",
    "use_dynamic_loss_scaling",
)  # fmt: skip


class Precision:
    """How forward is cast and the loss scaled: not at all, or as in ``paddle.amp``.

    Raises:
        ValueError: if there is no such level, or no such setting.
    """

    def __init__(self, configs: Any) -> None:
        given: dict[str, Any] = (
            {"level": configs} if isinstance(configs, str) else dict(configs or {"level": "O0"})
        )
        level = given.pop("level", "O1")
        if level not in ("O0", "O1", "O2"):
            raise invalid("The level of amp_configs should be 'O0', 'O1' or 'O2'.")
        unknown = tuple(name for name in given if name not in (*CASTING, *SCALING, "use_fp16_guard"))
        if unknown:
            raise invalid(
                "Except for 'level', the keys of 'amp_configs' must be accepted by mixed precision APIs, "
                f"but {unknown} could not be recognized.",
                f"it may have {', '.join((*CASTING, *SCALING))}",
            )
        on = level != "O0"
        self._casting = {name: given[name] for name in CASTING if name in given} | {
            "enable": on,
            "level": level,
        }
        self._scaler = GradScaler(on, **{name: given[name] for name in SCALING if name in given})

    def casting(self) -> auto_cast:
        """Return the context for the calls of the network."""
        return auto_cast(**self._casting)

    def scale(self, loss: Any) -> Any:
        """Return the loss that backward starts from."""
        return self._scaler.scale(loss)

    def step(self, optimizer: Any) -> None:
        """Run the optimizer's step, unless a scaled gradient overflowed."""
        self._scaler.step(optimizer)
        self._scaler.update()


class OneBatch:
    """A network with its optimizer, loss and metrics, given one batch at a time; see ``paddle.Model``."""

    def __init__(self, network: Any, inputs: Any = None, labels: Any = None) -> None:
        if not isinstance(network, Layer):
            raise failure(
                TypeError, f"network must be a paddle.nn.Layer, but received {type(network).__name__}."
            )
        self.mode = "train"
        self.network = network
        self.stop_training = False
        self._inputs, self._labels = listed(inputs), listed(labels)
        self._optimizer: Any = None
        self._loss: Any = None
        self._metrics: list[Metric] = []
        self._precision = Precision(None)

    def prepare(
        self, optimizer: Any = None, loss: Any = None, metrics: Any = None, amp_configs: Any = None
    ) -> None:
        """Set optimizer, loss and metrics.

        Args:
            optimizer: needed for training.
            loss: a Layer or a function of the outputs and the labels.
            metrics: a ``paddle.metric.Metric``, or several.
            amp_configs: ``"O0"``, ``"O1"``, ``"O2"``, or a dict with ``level`` and arguments of auto_cast
                and GradScaler. No effect on a CPU, unless emulated (see ``paddle.amp``).

        Raises:
            TypeError: if `loss` is neither.
            AssertionError: if a metric is none.
            ValueError: if there is no such level of mixed precision.
        """
        if loss is not None and not callable(loss):
            said = "'loss' must be sub classes of `paddle.nn.Layer` or any callable function."
            raise failure(TypeError, said, "pass an instance, paddle.nn.CrossEntropyLoss(), or a function")
        for metric in listed(metrics):
            if not isinstance(metric, Metric):
                raise failure(AssertionError, f"{type(metric).__name__} is not sub class of Metric")
        self._optimizer, self._loss, self._metrics = optimizer, loss, listed(metrics)
        self._precision = Precision(amp_configs)

    def train_batch(self, inputs: Any, labels: Any = None, update: bool = True) -> Any:
        """Run forward and backward on one batch, and the optimizer unless `update` is False.

        Args:
            inputs: an array or Tensor, or a list of them.
            labels: likewise, the loss's inputs besides the outputs.
            update: False only adds up gradients.

        Returns:
            ``[loss]``, or ``([loss], [the result of each metric])``; the losses are arrays.

        Raises:
            AssertionError: if there is no optimizer: **model not ready, please call `model.prepare()` first**.
        """
        if self._optimizer is None or self._loss is None:
            said = "model not ready, please call `model.prepare()` first"
            raise failure(AssertionError, said, "training needs an optimizer and a loss")
        self.mode = "train"
        self.network.train()
        outputs, labels = self._forward(inputs), tensors_of(labels)
        losses = listed(self._loss(*outputs, *labels))
        self._precision.scale(sum(losses[1:], losses[0])).backward()
        if update:
            self._precision.step(self._optimizer)
            self._optimizer.clear_grad()
        return self._answer([np.array(loss.numpy()) for loss in losses], outputs, labels)

    @no_grad()
    def eval_batch(self, inputs: Any, labels: Any = None) -> Any:
        """Return the same as :meth:`train_batch`, in eval mode, without gradients."""
        self.mode = "eval"
        self.network.eval()
        outputs, labels = self._forward(inputs), tensors_of(labels)
        losses = listed(self._loss(*outputs, *labels)) if self._loss else []
        return self._answer([np.array(loss.numpy()) for loss in losses], outputs, labels)

    @no_grad()
    def predict_batch(self, inputs: Any) -> list[Array]:
        """Return the outputs for one batch, as arrays."""
        self.mode = "test"
        self.network.eval()
        return [np.array(output.numpy()) for output in self._forward(inputs)]

    def _forward(self, inputs: Any) -> list[Tensor]:
        with self._precision.casting():
            return listed(self.network(*tensors_of(inputs)))

    def _answer(self, losses: list[Array], outputs: list[Tensor], labels: list[Tensor]) -> Any:
        """Update the metrics; return the losses and their results."""
        answers = [metric.update(*listed(metric.compute(*outputs, *labels))) for metric in self._metrics]
        if not self._metrics:
            return losses
        return (losses, answers) if losses else answers


def listed(value: Any) -> list[Any]:
    """Return several values as a list: none for None, one for a single value."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def tensors_of(values: Any) -> list[Tensor]:
    """Return arrays or tensors, one or several, as a list of tensors."""
    return [value if isinstance(value, Tensor) else to_tensor(value) for value in listed(values)]


def batches_of(data: Any, size: int, shuffle: bool, drop_last: bool, workers: int) -> Any:
    """Return an iterable of batches: `data` itself, unless a Dataset."""
    if not isinstance(data, Dataset):
        return data
    return DataLoader(data, batch_size=size, shuffle=shuffle, drop_last=drop_last, num_workers=workers)


def length_of(batches: Any) -> int | None:
    """Return the number of batches; None if it is unknown."""
    try:
        return len(batches)
    except (TypeError, RuntimeError):
        return None  # a generator, or an IterableDataset


def size_of(inputs: list[Any]) -> int:
    """Return the number of examples."""
    first = inputs[0] if inputs else []
    return int(first.shape[0]) if hasattr(first, "shape") and len(first.shape) else 1
