"""paddle.Model: a network with its optimizer, loss and metrics: one call trains, evaluates or predicts."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from minipaddle.engine.errors import failure, invalid
from minipaddle.paddle.framework.io import load, save
from minipaddle.paddle.framework.summary import summary
from minipaddle.paddle.hapi.callbacks.checkpoint import configured
from minipaddle.paddle.hapi.one_batch import OneBatch, batches_of, length_of, listed, size_of


class Model(OneBatch):
    """A network with the methods ``fit``, ``evaluate`` and ``predict``.

    Args:
        network: a Layer.
        inputs: the inputs of the network: an InputSpec or several. It tells how many items of an example are inputs.
        labels: likewise, the loss's inputs besides the outputs.

    Attributes:
        mode: of the last call: ``train``, ``eval`` or ``test``.
        stop_training: set by a callback to end ``fit`` after this epoch.
    """

    def fit(
        self,
        train_data: Any = None,
        eval_data: Any = None,
        batch_size: Any = 1,
        epochs: int = 1,
        eval_freq: int = 1,
        log_freq: int = 10,
        save_dir: str | None = None,
        save_freq: int = 1,
        verbose: int = 2,
        drop_last: bool = False,
        shuffle: bool = True,
        num_workers: int = 0,
        callbacks: Any = None,
        accumulate_grad_batches: int = 1,
        num_iters: int | None = None,
    ) -> None:
        """Train the network.

        Args:
            train_data: a Dataset, from which batches are made, or any iterable of batches, such as a DataLoader.
            eval_data: likewise, evaluated after every `eval_freq` epochs.
            batch_size: examples in a batch; two numbers: for training and for evaluation.
            epochs: the number of passes over `train_data`.
            eval_freq: epochs between evaluations.
            log_freq: steps between lines.
            save_dir: where to save; nowhere by default.
            save_freq: epochs between saving.
            verbose: 0 prints nothing, 1 a bar, 2 lines.
            drop_last: leave out a last batch that is too small.
            shuffle: go through a Dataset in a new order each time.
            num_workers: processes that make batches.
            callbacks: of ``paddle.callbacks``, one or several.
            accumulate_grad_batches: batches whose gradients add up before the optimizer runs.
            num_iters: end after this many steps in all.

        Raises:
            AssertionError: if there is no `train_data`, or the model is not prepared.
        """
        if train_data is None:
            raise failure(AssertionError, "train_data must be given!")
        train_size, eval_size = (
            batch_size if isinstance(batch_size, tuple | list) else (batch_size, batch_size)
        )
        batches = batches_of(train_data, train_size, shuffle, drop_last, num_workers)
        trials = None if eval_data is None else batches_of(eval_data, eval_size, False, False, num_workers)
        steps = length_of(batches)
        if num_iters is not None and steps is not None:
            epochs = min(epochs, -(-num_iters // max(steps, 1)))
            steps = min(steps, num_iters)
        params = {
            "batch_size": train_size,
            "epochs": epochs,
            "steps": steps,
            "verbose": verbose,
            "metrics": self._names(),
            "save_dir": save_dir,
        }
        told = configured(callbacks, self, params, log_freq, save_freq)
        self.stop_training = False
        told("train_begin", None)
        logs: dict[str, Any] = {}
        done = 0
        for epoch in range(epochs):
            told("epoch_begin", epoch, None)
            left = None if num_iters is None else num_iters - done
            logs = self._run("train", batches, told, left, accumulate_grad_batches)
            done += logs.get("step", -1) + 1
            told("epoch_end", epoch, logs)
            if trials is not None and epoch % eval_freq == 0:
                logs = self._evaluate(trials, told)
            if self.stop_training or (num_iters is not None and done >= num_iters):
                break
        told("train_end", logs)

    def evaluate(
        self,
        eval_data: Any,
        batch_size: int = 1,
        log_freq: int = 10,
        verbose: int = 2,
        num_workers: int = 0,
        callbacks: Any = None,
        num_iters: int | None = None,
    ) -> dict[str, Any]:
        """Return the loss of the last batch, ``"loss": [number]``, and each metric over all batches, by name.

        `eval_data` is a Dataset, or any iterable of batches; `num_iters` ends after so many of them; :meth:`fit`
        describes the other arguments.
        """
        batches = batches_of(eval_data, batch_size, False, False, num_workers)
        told = configured(callbacks, self, {"verbose": verbose, "metrics": self._names()}, log_freq)
        logs = self._evaluate(batches, told, num_iters)
        return {name: logs[name] for name in self._names() if name in logs}

    def _evaluate(self, batches: Any, told: Callable[..., None], left: int | None = None) -> dict[str, Any]:
        steps = length_of(batches)
        steps = steps if left is None or steps is None else min(steps, left)
        told("eval_begin", {"steps": steps, "metrics": self._names()})
        logs = self._run("eval", batches, told, left)
        told("eval_end", logs)
        return logs

    def predict(
        self,
        test_data: Any,
        batch_size: int = 1,
        num_workers: int = 0,
        stack_outputs: bool = False,
        verbose: int = 1,
        callbacks: Any = None,
    ) -> list[Any]:
        """Return for each output of the network its arrays, a tuple with one per batch.

        `test_data` is a Dataset, or any iterable of batches; items of an example besides the inputs are ignored.
        `stack_outputs` joins the batches of each output into one array; see :meth:`fit` for the others.
        """
        batches = batches_of(test_data, batch_size, False, False, num_workers)
        told = configured(callbacks, self, {"verbose": verbose, "metrics": []})
        told("predict_begin", {"steps": length_of(batches), "metrics": []})
        found = []
        logs: dict[str, Any] = {}
        for step, batch in enumerate(batches):
            told("predict_batch_begin", step, logs)
            inputs, _ = self._split(listed(batch))
            found.append(self.predict_batch(inputs))
            logs = {"step": step, "batch_size": size_of(inputs)}
            told("predict_batch_end", step, logs)
        told("predict_end", logs)
        outputs = [tuple(arrays) for arrays in zip(*found)]
        return [np.vstack(arrays) for arrays in outputs] if stack_outputs else outputs

    def _run(
        self, mode: str, batches: Any, told: Callable[..., None], left: int | None = None, accumulate: int = 1
    ) -> dict[str, Any]:
        """Go through batches once; return the last loss, the metrics, the last step and its size."""
        for metric in self._metrics:
            metric.reset()
        steps = length_of(batches)
        logs: dict[str, Any] = {}
        for step, batch in enumerate(islice(batches, left)):
            told(f"{mode}_batch_begin", step, logs)
            inputs, labels = self._split(listed(batch))
            if mode == "train":
                answer = self.train_batch(inputs, labels, (step + 1) % accumulate == 0 or step + 1 == steps)
            else:
                answer = self.eval_batch(inputs, labels)
            logs = self._logs(answer) | {"step": step, "batch_size": size_of(inputs)}
            told(f"{mode}_batch_end", step, logs)
        return logs

    def _split(self, batch: list[Any]) -> tuple[list[Any], list[Any]]:
        """Return the inputs of a batch, as many as the network takes, and the labels."""
        count = len(self._inputs)
        if not count:
            arguments = inspect.signature(self.network.forward).parameters.values()
            takes_all = any(argument.kind is argument.VAR_POSITIONAL for argument in arguments)
            count = max(len(batch) - 1, 1) if takes_all else len(arguments)
        return batch[:count], batch[count:]

    def _logs(self, answer: Any) -> dict[str, Any]:
        losses = answer[0] if self._metrics and self._loss else [] if self._metrics else answer
        logs: dict[str, Any] = {"loss": [float(loss.reshape(-1)[0]) for loss in losses]} if losses else {}
        for metric in self._metrics:
            logs |= zip(listed(metric.name()), listed(metric.accumulate()))
        return logs

    def _names(self) -> list[str]:
        names = [name for metric in self._metrics for name in listed(metric.name())]
        return ["loss", *names] if self._loss else names

    # ---- files

    def save(self, path: str, training: bool = True) -> None:
        """Write the parameters to ``path.pdparams`` and the optimizer's state, if it has any, to ``path.pdopt``.

        Args:
            path: a path without a suffix.
            training: False writes the network for inference instead, as ``paddle.jit.save`` does; then the Model needs
                its `inputs`.
        """
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        if not training:
            from minipaddle.paddle import jit

            jit.save(self.network, path, input_spec=self._inputs or None)
            return
        save(self.network.state_dict(), f"{path}.pdparams")
        state = self._optimizer.state_dict() if self._optimizer is not None else {}
        if state:
            save(state, f"{path}.pdopt")

    def load(self, path: str, skip_mismatch: bool = False, reset_optimizer: bool = False) -> None:
        """Load files of :meth:`save`.

        Args:
            path: the path without the suffix.
            skip_mismatch: skip, with a warning, parameters that do not fit; else raise.
            reset_optimizer: do not read the optimizer's state.

        Raises:
            AssertionError: **Failed to load parameters, please check path.**
            ValueError: if a parameter is missing in the file, or has another shape.
        """
        stem = path.removesuffix(".pdparams")
        self._load_parameters(f"{stem}.pdparams", skip_mismatch)
        if self._optimizer is not None and not reset_optimizer and Path(f"{stem}.pdopt").exists():
            self._optimizer.set_state_dict(load(f"{stem}.pdopt"))

    def parameters(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Return the parameters of the network."""
        return list(self.network.parameters())

    def summary(self, input_size: Any = None, dtype: Any = None) -> dict[str, int]:
        """Print the table of ``paddle.summary`` and return its counts; `inputs` of the Model may give the size."""
        if input_size is None and not self._inputs:
            raise failure(AssertionError, "'input_size' or 'self._input' must be set")
        given = input_size if input_size is not None else [tuple(spec.shape) for spec in self._inputs]
        return summary(self.network, given, dtypes=dtype)

    def _load_parameters(self, path: str, skip_mismatch: bool) -> None:
        """Copy the values of a file that ``paddle.save`` wrote into the parameters and buffers of the network."""
        if not Path(path).exists():
            raise failure(
                AssertionError, "Failed to load parameters, please check path.", f"there is no {path}"
            )
        stored, fitting = load(path), {}
        for name, ours in self.network.state_dict().items():
            mistake = ""
            if name not in stored:
                mistake = f"{name} is not found in the providing file."
            elif (shape := list(stored[name].shape)) != list(ours.shape):
                mistake = f"{name} receives a shape {shape}, but the expected shape is {list(ours.shape)}."
            if mistake and not skip_mismatch:
                raise invalid(mistake, "skip_mismatch=True leaves it as it is")
            if mistake:
                warnings.warn(f"Skip loading for {name}. {mistake}", stacklevel=3)
            else:
                fitting[name] = stored[name]
        self.network.set_state_dict(fitting)
