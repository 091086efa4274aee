"""Layers whose weights several processes share; one process holds all of them, so they are the plain ones."""

from __future__ import annotations

from typing import Any

from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.layer.layers import Layer


class ColumnParallelLinear(Layer):
    """Linear whose weight [in, out] would be cut by columns.

    Args:
        in_features: size of the last axis of the input.
        out_features: size of the last axis of the output.
        weight_attr: a ParamAttr, or what becomes one, for the weight.
        has_bias: whether to add a bias.
        gather_output: accepted: the output is whole.
        fuse_matmul_bias: accepted.
        mp_group: accepted.
        name: kept.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        has_bias: bool | None = None,
        gather_output: bool = True,
        fuse_matmul_bias: bool = False,
        mp_group: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__("linear")
        self.weight = self.create_parameter([in_features, out_features], weight_attr)
        self.bias = self.create_parameter([out_features], is_bias=True) if has_bias else None
        self.name = name

    def forward(self, x: Any) -> Any:
        """[..., in] becomes [..., out]."""
        return F.linear(x, self.weight, self.bias)


class RowParallelLinear(ColumnParallelLinear):
    """Linear whose weight [in, out] would be cut by rows.

    Args:
        in_features: size of the last axis of the input.
        out_features: size of the last axis of the output.
        weight_attr: a ParamAttr, or what becomes one, for the weight.
        has_bias: whether to add a bias.
        input_is_parallel: accepted: the input is whole.
        fuse_matmul_bias: accepted.
        mp_group: accepted.
        name: kept.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        has_bias: bool = True,
        input_is_parallel: bool = False,
        fuse_matmul_bias: bool = False,
        mp_group: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(in_features, out_features, weight_attr, has_bias, name=name)


class VocabParallelEmbedding(Layer):
    """Embedding whose table [num_embeddings, embedding_dim] would be cut by rows.

    Args:
        num_embeddings: rows of the table.
        embedding_dim: length of a row.
        weight_attr: a ParamAttr, or what becomes one, for the table.
        mp_group: accepted.
        name: kept.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        weight_attr: Any = None,
        mp_group: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__("embedding")
        self.weight = self.create_parameter([num_embeddings, embedding_dim], weight_attr)
        self.name = name

    def forward(self, x: Any) -> Any:
        """Whole numbers [...] become rows [..., embedding_dim]."""
        return F.embedding(x, self.weight)


class ParallelCrossEntropy(Layer):
    """Softmax with cross entropy, where the classes would be cut.

    Args:
        mp_group: accepted.
        name: kept.
        ignore_index: a label that costs nothing.
    """

    def __init__(self, mp_group: Any = None, name: str | None = None, ignore_index: int = -100) -> None:
        super().__init__()
        self.name = name
        self.ignore_index = ignore_index

    def forward(self, input: Any, label: Any) -> Any:
        """Scores [..., classes] and labels [..., 1] become losses [..., 1]."""
        return F.softmax_with_cross_entropy(input, label, ignore_index=self.ignore_index)
