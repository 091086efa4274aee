"""VarType: the kinds of Variables, and the data types by their names in Paddle's Programs."""

from __future__ import annotations

from enum import Enum
from types import SimpleNamespace

from minipaddle.engine.value.dtype import DTYPES


class _Numbered(Enum):
    """Kinds that ``int`` converts to their number."""

    def __int__(self) -> int:
        return int(self.value)


class VarType(_Numbered):
    """The kinds of Variables, with Paddle's numbers. Programs here use LOD_TENSOR and STEP_SCOPES."""

    LOD_TENSOR = 7
    SELECTED_ROWS = 8
    FEED_MINIBATCH = 9
    FETCH_LIST = 10
    STEP_SCOPES = 11
    LOD_RANK_TABLE = 12
    LOD_TENSOR_ARRAY = 13
    PLACE_LIST = 14
    READER = 15
    RAW = 17
    STRING = 25
    STRINGS = 26
    VOCAB = 27
    SPARSE_COO = 30


_DTYPES = {
    "BOOL": "bool",
    "UINT8": "uint8",
    "INT8": "int8",
    "INT16": "int16",
    "INT32": "int32",
    "INT64": "int64",
    "FP16": "float16",
    "FP32": "float32",
    "FP64": "float64",
    "COMPLEX64": "complex64",
    "COMPLEX128": "complex128",
}
for _name, _dtype in _DTYPES.items():
    setattr(VarType, _name, DTYPES[_dtype])  # VarDesc.VarType.FP32 is paddle.float32

for _name in ("TENSOR", "TENSOR_ARRAY"):
    setattr(VarType, f"DENSE_{_name}", VarType[f"LOD_{_name}"])  # as Paddle 3 calls them

VarDesc = SimpleNamespace(VarType=VarType)
"""``paddle.base.core.VarDesc.VarType.LOD_TENSOR``."""
