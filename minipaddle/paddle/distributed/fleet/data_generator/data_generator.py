"""Data generators: lines of text become lines of numbers in the form that Paddle's file datasets read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any


class DataGenerator:
    """Turns lines into examples; derive from a subclass and define `generate_sample`."""

    def __init__(self) -> None:
        self.batch_size_ = 32

    def set_batch(self, batch_size: int) -> None:
        """Give `generate_batch` as many examples at a time."""
        self.batch_size_ = batch_size

    def generate_sample(self, line: str | None) -> Callable[[], Iterable[Any]]:
        """Return a function that yields the examples of a line, each pairs of a name and a list.

        Raises:
            NotImplementedError: **Please rewrite this function**.
        """
        raise NotImplementedError(
            "Please rewrite this function to return a list or tuple: [(name, [feasign, ...]), ...] or "
            "((name, [feasign, ...]), ...)"
        )

    def generate_batch(self, samples: list[Any]) -> Callable[[], Iterable[Any]]:
        """Return a function that yields some examples, as they are unless it is overridden."""
        return lambda: iter(samples)

    def run_from_memory(self) -> None:
        """Print the examples that `generate_sample(None)` yields."""
        self._print(self.generate_sample(None)())

    def run_from_stdin(self) -> None:
        """Print the examples of each line of the standard input."""
        self._print(sample for line in sys.stdin for sample in self.generate_sample(line)())

    def _print(self, samples: Iterable[Any]) -> None:
        for batch in self._batches(samples):
            for sample in self.generate_batch(batch)():
                sys.stdout.write(self._gen_str(sample))

    def _batches(self, samples: Iterable[Any]) -> Iterator[list[Any]]:
        batch: list[Any] = []
        for sample in samples:
            if sample is not None:
                batch.append(sample)
            if len(batch) == self.batch_size_:
                yield batch
                batch = []
        if batch:
            yield batch

    def _gen_str(self, line: Any) -> str:
        raise NotImplementedError("pls use MultiSlotDataGenerator or PairWiseDataGenerator")


class MultiSlotStringDataGenerator(DataGenerator):
    """Writes each list as its length and its texts: ``2 a b 1 c``."""

    def _gen_str(self, line: Any) -> str:
        pairs = _pairs(line, "[('words', ['1926', '08', '17']), ('label', ['1'])]")
        return " ".join(" ".join([str(len(texts)), *texts]) for _, texts in pairs) + "\n"


class MultiSlotDataGenerator(DataGenerator):
    """Writes each list as its length and its numbers: ``2 1 2 1 0.5``; all lines have the same names.

    Raises:
        ValueError: names or lists that are none, or differ from those of the first line.
    """

    def __init__(self) -> None:
        super().__init__()
        self._proto_info: list[tuple[str, str]] | None = None

    def _gen_str(self, line: Any) -> str:
        pairs = _pairs(line, "[('words', [1926, 08, 17]), ('label', [1])]")
        for name, numbers in pairs:
            _check(name, numbers)
        known = self._proto_info or [(name, "uint64") for name, _ in pairs]
        if len(pairs) != len(known):
            raise ValueError("the complete field set of two given line are inconsistent.")
        for (name, _), (before, _) in zip(pairs, known, strict=True):
            if name != before:
                raise ValueError(
                    f"the field name of two given line are not match: require<{before}>, get<{name}>."
                )
        self._proto_info = [
            (name, "float" if kind == "float" or any(isinstance(each, float) for each in numbers) else kind)
            for (name, kind), (_, numbers) in zip(known, pairs, strict=True)
        ]
        return " ".join(" ".join(map(str, [len(numbers), *numbers])) for _, numbers in pairs) + "\n"


def _pairs(line: Any, example: str) -> list[tuple[Any, Any]]:
    if not isinstance(line, (list, tuple, zip)):
        raise ValueError(f"the output of process() must be in list or tuple type. Example: {example}")
    return list(line)


def _check(name: Any, numbers: Any) -> None:
    if not isinstance(name, str):
        raise ValueError(f"name{type(name)} must be in str type")
    if not isinstance(numbers, list):
        raise ValueError(f"elements{type(numbers)} must be in list type")
    if not numbers:
        raise ValueError("the elements of each field can not be empty, you need padding it in process().")
    for number in numbers:
        if not isinstance(number, (int, float)):
            raise ValueError(f"the type of element{type(number)} must be in int or float")
