"""Loaders of Paddle 1: batches from a generator, as a ``for`` loop or behind ``Executor.run``.

``paddle.io.DataLoader`` is what new scripts use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.autograd.creation import to_tensor
from minipaddle.engine.core.errors import failure
from minipaddle.engine.names.missing import missing
from minipaddle.paddle.base.data_feeder import DataFeeder
from minipaddle.paddle.static.build.checks import building
from minipaddle.paddle.static.host_tensor import HostTensor
from minipaddle.paddle.static.program import default_main_program

__all__ = ["DataLoader", "EOFException", "GeneratorLoader", "PyReader"]

Generator = Callable[[], Iterable[Any]]


class EOFException(Exception):
    """A loader behind ``Executor.run`` has no batch left: call its ``reset()``."""


class GeneratorLoader:
    """Batches for placeholders, or, in dynamic mode, of tensors; made by ``DataLoader.from_generator``.

    Args:
        feed_list: the placeholders.
        capacity: accepted: batches are made when they are asked for.
        use_double_buffer: accepted.
        iterable: whether batches come from a ``for`` loop; else ``Executor.run`` takes one in each run, between
            ``start()`` and ``reset()``.
        return_list: whether a batch is a list, in the order of `feed_list`, and no dict.
        drop_last: accepted; what :meth:`set_sample_generator` is told counts.
    """

    def __init__(
        self,
        feed_list: Sequence[Any] | None = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = False,
        drop_last: bool = True,
    ) -> None:
        self._building = building()
        self._feeder = DataFeeder(feed_list or [])
        self._iterable = iterable or not self._building
        self._return_list = return_list
        self._batches: Generator | None = None
        self._running: Iterator[Sequence[Any]] | None = None
        if not self._iterable:
            default_main_program().readers.append(self)

    @property
    def iterable(self) -> bool:
        """Whether batches come from a ``for`` loop."""
        return self._iterable

    @property
    def queue(self) -> None:
        """None: there is no queue, a batch is made when it is asked for."""

    # -- where batches come from ----------------------------------------------------------------------------------

    def set_batch_generator(self, reader: Generator, places: Any = None) -> GeneratorLoader:
        """Take batches, each a tuple of arrays, from what `reader` returns; `places` is accepted."""
        self._batches = reader
        return self

    def set_sample_list_generator(self, reader: Generator, places: Any = None) -> GeneratorLoader:
        """Take lists of examples, each a tuple, from what `reader` returns; see :meth:`set_batch_generator`."""
        return self.set_batch_generator(lambda: map(self._stacked, reader()), places)

    def set_sample_generator(
        self, reader: Generator, batch_size: int, drop_last: bool = True, places: Any = None
    ) -> GeneratorLoader:
        """Take single examples, `batch_size` at a time; the last batch is left out if it is shorter and `drop_last`.

        Raises:
            AssertionError: **batch_size** is not above 0.
        """
        assert batch_size > 0, "batch_size must be larger than 0"

        def lists() -> Iterator[list[Any]]:
            samples: list[Any] = []
            for sample in reader():
                samples.append(sample if isinstance(sample, (list, tuple)) else (sample,))
                if len(samples) == batch_size:
                    yield samples
                    samples = []
            if samples and not drop_last:
                yield samples

        return self.set_sample_list_generator(lists, places)

    def _stacked(self, samples: Sequence[Sequence[Any]]) -> list[Any]:
        if self._feeder.feed_list:
            return list(self._feeder.feed(samples).values())
        return [np.stack([np.asarray(one) for one in column]) for column in zip(*samples)]

    # -- as a loop ------------------------------------------------------------------------------------------------

    def __call__(self) -> GeneratorLoader:
        """Return itself: ``for batch in loader():``."""
        return self

    def __iter__(self) -> Iterator[Any]:
        """Return the batches: lists of tensors in dynamic mode, else what ``Executor.run`` is fed, in a list.

        Raises:
            AssertionError: it is not **iterable**, or no **data source** was set.
        """
        assert self._iterable, "DataLoader is not iterable: it was made with iterable=False."
        return map(self._given, self._source())

    def _source(self) -> Iterator[Sequence[Any]]:
        assert self._batches is not None, "Data source of DataLoader has not set yet"
        return iter(self._batches())

    def _given(self, batch: Sequence[Any]) -> Any:
        if not self._building:
            return [to_tensor(np.asarray(one)) for one in batch]
        tensors = [one if isinstance(one, HostTensor) else HostTensor(np.asarray(one)) for one in batch]
        return [tensors if self._return_list else dict(zip(self._feeder.feed_names, tensors))]

    # -- behind Executor.run --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin with the first batch.

        Raises:
            AssertionError: it is **iterable**.
        """
        assert not self._iterable, "start() cannot be called when DataLoader is iterable"
        self._running = self._source()

    def reset(self) -> None:
        """End, so that :meth:`start` can begin again; see there."""
        assert not self._iterable, "reset() cannot be called when DataLoader is iterable"
        self._running = None

    def next_feed(self) -> dict[str, Any]:
        """Return what the next run is fed.

        Raises:
            EOFException: **no next data**: that was all, or :meth:`start` was not called.
        """
        batch = None if self._running is None else next(self._running, None)
        if batch is None:
            raise EOFException("There is no next data: call start() before each epoch, and reset() after it.")
        return dict(zip(self._feeder.feed_names, batch))


class PyReader(GeneratorLoader):
    """The same by older names (``paddle.base.io.PyReader``)."""

    decorate_batch_generator = GeneratorLoader.set_batch_generator
    decorate_sample_list_generator = GeneratorLoader.set_sample_list_generator
    decorate_sample_generator = GeneratorLoader.set_sample_generator


class DataLoader:
    """Where loaders of Paddle 1 are made (``paddle.base.io.DataLoader``)."""

    @staticmethod
    def from_generator(
        feed_list: Sequence[Any] | None = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = False,
        use_multiprocess: bool = False,
        drop_last: bool = True,
    ) -> GeneratorLoader:
        """Return a :class:`GeneratorLoader`; set where its batches come from.

        `use_multiprocess` is accepted: batches are made in this process.
        """
        return GeneratorLoader(feed_list, capacity, use_double_buffer, iterable, return_list, drop_last)

    @staticmethod
    def from_dataset(dataset: Any, places: Any, drop_last: bool = True) -> Any:
        """Refuse what is none of the datasets that parameter servers read: there are none of these here.

        Raises:
            AssertionError: **DatasetBase**.
        """
        raise failure(
            AssertionError,
            f"dataset must be type of DatasetBase, which parameter servers on a cluster read, but is {type(dataset)}.",
            "use DataLoader.from_generator or paddle.io.DataLoader",
        )


__getattr__ = missing(__name__, __all__)
