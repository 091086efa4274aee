"""Layers of no family: Linear, Embedding, Dropout, Flatten, Identity, padding."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.names.missing import missing
from minipaddle.ops.views.reshape import flatten
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.layer.function_layers import FunctionLayer
from minipaddle.paddle.nn.layer.layers import Layer


class Identity(Layer):
    """Returns its input; takes any arguments."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        """Return `input`."""
        return input


class Linear(Layer):
    """``x @ weight + bias`` with weight [in, out] and bias [out]; Xavier-uniform and 0 at first.

    Args:
        in_features: size of the last axis of the input.
        out_features: size of the last axis of the output.
        weight_attr: a ParamAttr, or a value that converts to one, for the weight.
        bias_attr: the same for the bias; False: there is none.
        name: the name of the results in a Program: NAME.tmp_0.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = self.create_parameter([in_features, out_features], weight_attr)
        self.bias = self.create_parameter([out_features], bias_attr, is_bias=True)
        self.name = name

    def forward(self, input: Any) -> Any:
        """[..., in] becomes [..., out]."""
        return F.linear(input, self.weight, self.bias, self.name)

    def extra_repr(self) -> str:
        """Return sizes and type."""
        name = f", name={self.name}" if self.name else ""
        sizes = f"in_features={self.in_features}, out_features={self.out_features}"
        return f"{sizes}, dtype={self._dtype_name}{name}"


class Embedding(Layer):
    """A table of vectors, looked up by number; weight [rows, width], Xavier-uniform at first.

    Args:
        num_embeddings: the number of rows.
        embedding_dim: the width of a row.
        padding_idx: a row that stays zeros and is not learned.
        sparse: no effect but in ``repr``; the gradient is dense.
        weight_attr: a ParamAttr, or a value that converts to one, for the table.
        name: the name of the results in a Program: NAME.tmp_0.

    Raises:
        ValueError: **must be greater than 0**, for a size; **padding_idx must be within**.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        sparse: bool = False,
        weight_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        if num_embeddings <= 0 or embedding_dim <= 0:
            raise ValueError("num_embeddings and embedding_dim must be greater than 0")
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise ValueError(f"padding_idx must be within [-{num_embeddings}, {num_embeddings})")
        self._size = (num_embeddings, embedding_dim)
        self._padding_idx, self._sparse, self._name = padding_idx, sparse, name
        self.weight = self.create_parameter(self._size, weight_attr)
        if padding_idx is not None and hasattr(self.weight, "array"):  # in a Program it has no numbers yet
            self.weight.array[padding_idx] = 0

    def forward(self, x: Any) -> Any:
        """[...] becomes [..., width]."""
        return F.embedding(x, self.weight, self._padding_idx, name=self._name)

    def extra_repr(self) -> str:
        """Return sizes and options."""
        padding = "" if self._padding_idx is None else f", padding_idx={self._padding_idx}"
        sizes = f"{self._size[0]}, {self._size[1]}{padding}"
        return f"{sizes}, sparse={self._sparse}, scale_grad_by_freq=False"


class Dropout(
    FunctionLayer, function=F.dropout, order="p inplace axis mode", shown="p axis mode name? inplace"
):
    """Zeroes each element with probability `p` while training; see ``nn.functional.dropout``."""


class Dropout2D(FunctionLayer, function=F.dropout2d, shown="p data_format name?"):
    """Zeroes whole channels with probability `p` while training."""


class Flatten(FunctionLayer, function=flatten, without="name", start_axis=1):
    """Merges the axes `start_axis` to `stop_axis` into one."""


class Pad1D(Layer):
    """Adds a border to sequences: [left, right]; see :func:`minipaddle.paddle.nn.functional.pad`."""

    axes, layout = 1, "NCL"

    def __init__(
        self,
        padding: Any,
        mode: str = "constant",
        value: float = 0.0,
        data_format: str | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.padding = [padding] * 2 * self.axes if isinstance(padding, int) else list(padding)
        self.mode, self.value, self.data_format = mode, value, data_format or self.layout

    def forward(self, x: Any) -> Any:
        """Return `x` with the border."""
        return F.pad(x, self.padding, self.mode, self.value, self.data_format)

    def extra_repr(self) -> str:
        """Return the options for ``repr``."""
        return f"padding={self.padding}, mode={self.mode}, value={self.value}, data_format={self.data_format}"


class Pad2D(Pad1D):
    """Adds a border to images: [left, right, top, bottom]; see :func:`minipaddle.paddle.nn.functional.pad`."""

    axes, layout = 2, "NCHW"


class CosineSimilarity(FunctionLayer, function=F.cosine_similarity, inputs=2, shown="axis eps"):
    """Cosine of the angle between two tensors."""


__getattr__ = missing(__name__, globals())
