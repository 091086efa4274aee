"""LayerHelper: what layers written for Paddle's Programs make Variables, parameters and operators with."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.dtype import DType, as_numpy
from minipaddle.engine.core.errors import failure
from minipaddle.engine.names.missing import missing
from minipaddle.engine.names.unique import numbered, unique_name
from minipaddle.ops.math.arithmetic import add
from minipaddle.paddle.nn.parameter.create import make_parameter
from minipaddle.paddle.nn.parameter.param_attr import ParamAttr, as_param_attr
from minipaddle.paddle.static.build import layer
from minipaddle.paddle.static.build.checks import static_only
from minipaddle.paddle.static.program import (
    Operator,
    Program,
    Variable,
    default_main_program,
    default_startup_program,
)

__all__ = ["LayerHelper"]


class LayerHelper:
    """A layer while it is built: its name, its arguments, and what it appends.

    Args:
        layer_type: what its names begin with.
        kwargs: the arguments of the layer, which methods look up: ``input``, ``param_attr``, ``bias_attr``, ``act``,
            ``name``.
    """

    def __init__(self, layer_type: str, **kwargs: Any) -> None:
        self.layer_type = layer_type
        self.kwargs = kwargs
        self.name: str = kwargs.get("name") or unique_name(layer_type)

    @property
    def main_program(self) -> Program:
        """The Program that operators are appended to."""
        return default_main_program()

    @property
    def startup_program(self) -> Program:
        """The Program that initializers are appended to."""
        return default_startup_program()

    @property
    def param_attr(self) -> ParamAttr | None:
        """The attributes of its weights."""
        return as_param_attr(self.kwargs.get("param_attr"))

    @property
    def bias_attr(self) -> ParamAttr | None:
        """The attributes of its bias; None, if it wants none."""
        return as_param_attr(self.kwargs.get("bias_attr"))

    # -- its inputs -----------------------------------------------------------------------------------------------

    def multiple_input(self, input_param_name: str = "input") -> list[Any]:
        """Return the inputs that it was called with under this name."""
        given = self.kwargs.get(input_param_name, [])
        return list(given) if isinstance(given, (list, tuple)) else [given]

    def input(self, input_param_name: str = "input") -> Any:
        """Return its one input.

        Raises:
            ValueError: **one input**, if there are more, or none.
        """
        inputs = self.multiple_input(input_param_name)
        if len(inputs) != 1:
            raise failure(ValueError, f"{self.layer_type} layer only takes one input in")
        return inputs[0]

    def input_dtype(self, input_param_name: str = "input") -> DType:
        """Return the data type of its inputs.

        Raises:
            ValueError: **Data Type mismatch**, if they differ.
        """
        found: set[DType] = {one.dtype for one in self.multiple_input(input_param_name)}
        if len(found) != 1:
            raise failure(ValueError, f"Data Type mismatch: {sorted(map(str, found))}")
        return found.pop()

    # -- what it makes --------------------------------------------------------------------------------------------

    def create_variable_for_type_inference(
        self, dtype: Any, stop_gradient: bool = False, shape: Any = None
    ) -> Variable:
        """Make a Variable for a result; the operator that is appended says its shape."""
        static_only(self.layer_type)
        block = self.main_program.current_block()
        return block.create_var(numbered(f"{self.name}.tmp"), shape, dtype, stop_gradient=stop_gradient)

    def create_variable(self, **options: Any) -> Variable:
        """Make a Variable of the current Block; the arguments are those of ``Block.create_var``."""
        return self.main_program.current_block().create_var(**options)

    def create_global_variable(self, persistable: bool = False, **options: Any) -> Variable:
        """Make a Variable of the global Block."""
        options.setdefault("name", numbered(f"{self.name}.tmp"))
        return self.main_program.global_block().create_var(persistable=persistable, **options)

    def create_parameter(
        self,
        attr: Any,
        shape: Any,
        dtype: Any = "float32",
        is_bias: bool = False,
        default_initializer: Any = None,
        stop_gradient: bool = False,
    ) -> Any:
        """Make a parameter; None, if `attr` is False. See ``paddle.create_parameter``."""
        kept = False if attr is None and is_bias and self.kwargs.get("bias_attr") is False else attr
        made = make_parameter(lambda: self.name, shape, kept, as_numpy(dtype), is_bias, default_initializer)
        if made is not None and stop_gradient:
            made.stop_gradient = True
        return made

    def append_op(self, **options: Any) -> Operator:
        """Append an operator to the current Block; the arguments are those of ``Block.append_op``."""
        static_only(self.layer_type)
        return self.main_program.current_block().append_op(**options)

    def append_bias_op(self, input_var: Variable, dim_start: int = 1, dim_end: int | None = None) -> Variable:
        """Return `input_var` plus a bias over its axes from `dim_start` to `dim_end`; itself, if there is none."""
        bias = self.create_parameter(
            self.bias_attr or False, list(input_var.shape[dim_start:dim_end]), input_var.dtype, is_bias=True
        )
        if bias is None:
            return input_var
        with layer(self.name):
            out: Variable = add(input_var, bias)
        assert out.op is not None
        out.op.printed["axis"] = dim_start
        return out

    def append_activation(self, input_var: Variable) -> Variable:
        """Return the activation ``act`` of `input_var`; itself, if there is none.

        Raises:
            TypeError: **act** is no name.
        """
        act = self.kwargs.get("act")
        if act is None:
            return input_var
        if not isinstance(act, str):
            raise TypeError(
                f"{act} should be unicode, str or dict: act is the type of an operator, such as 'relu'."
            )
        out = self.create_variable_for_type_inference(input_var.dtype)
        self.append_op(type=act, inputs={"X": [input_var]}, outputs={"Out": [out]})
        return out


__getattr__ = missing(__name__, __all__)
