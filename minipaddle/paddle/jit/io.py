"""jit.save and jit.load: a traced function or Layer as two files, and a Layer made from them.

The Program is JSON (``.pdmodel``), its parameters are a ``.pdparams`` file under another name (``.pdiparams``), as with
``static.save_inference_model``, and read with the same checks.
"""

from __future__ import annotations

import io as memory
import os
from typing import Any

import numpy as np

from minipaddle.engine.errors import failure
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.framework import io
from minipaddle.paddle.framework.whole_file import write_whole
from minipaddle.paddle.jit.program_function import ConcreteProgram
from minipaddle.paddle.jit.static_function import StaticFunction
from minipaddle.paddle.nn.layer.layers import Layer
from minipaddle.paddle.nn.parameter.parameter import Parameter
from minipaddle.paddle.static.files.inference_model import content_of, parsed
from minipaddle.paddle.static.files.serialize import text_of_program
from minipaddle.paddle.static.program import Parameter as StaticParameter
from minipaddle.paddle.static.program import Program, Variable


def save(layer: Any, path: str, input_spec: Any = None, **configs: Any) -> None:
    """Save the Program of a Layer or function, with the values that it captured.

    The Layer is saved in its present mode: training or, after ``eval()``, evaluation.

    Args:
        layer: a Layer, or a result of ``to_static``.
        path: prefix of the file names; directories are made.
        input_spec: a list of InputSpec or Tensors; needed unless ``to_static`` had one or it was called before.

    Raises:
        TypeError: for anything but a Layer or a function.
        ValueError: if `path` names no file, there is no **input_spec**, or the Program has a **py_func**.
    """
    function = layer.forward if isinstance(layer, Layer) else layer
    if not isinstance(function, StaticFunction):
        if not callable(function):
            raise TypeError(
                f"The input of paddle.jit.save should be 'Layer' or 'Function', but received {type(layer).__name__}."
            )
        function = StaticFunction(function, input_spec)
    concrete = function.concrete_program if input_spec is None else function.get_concrete_program(*input_spec)
    prefix = _prefix(path)
    state = layer.state_dict() if isinstance(layer, Layer) else {}
    names = {id(tensor): name for name, tensor in state.items()}
    text = text_of_program(
        concrete.main_program,
        feeds=[one.name for one in concrete.inputs],
        fetches=[one.name for one in concrete.outputs],
        structured_names={one.name: names.get(id(tensor), one.name) for tensor, one in concrete.captured},
    )
    write_whole(prefix + ".pdmodel", text.encode())
    io.save({one.name: tensor.numpy() for tensor, one in concrete.captured}, prefix + ".pdiparams")


def _prefix(path: Any) -> str:
    if not isinstance(path, (str, os.PathLike)) or not os.path.basename(path):
        raise ValueError(
            "The input path MUST be format of dirname/file_prefix [dirname\\\\file_prefix in Windows system], but "
            f"received {path!r}."
        )
    return os.fspath(path)


class TranslatedLayer(Layer):
    """A Layer whose forward is a loaded Program; it can be evaluated, and trained further."""

    def __init__(self, concrete: ConcreteProgram, names: dict[str, str]) -> None:
        super().__init__("translated_layer")
        self._concrete = concrete
        for tensor, variable in concrete.captured:
            name = names.get(variable.name, variable.name)
            room: dict[str, Any] = self._parameters if isinstance(tensor, Parameter) else self._buffers
            room[name] = tensor  # under the saved name: with dots, which `setattr` would refuse

    def forward(self, *inputs: Any) -> Any:
        """Run the Program on Tensors or arrays; return one Tensor or a list of them.

        Raises:
            ValueError: for a wrong number of inputs.
        """
        if len(inputs) != len(self._concrete.inputs):
            names = ", ".join(one.name for one in self._concrete.inputs)
            raise failure(
                ValueError, f"the loaded function takes {names}, but {len(inputs)} inputs were given."
            )
        answers = self._concrete(
            [one if isinstance(one, Tensor) else Tensor(np.array(one)) for one in inputs]
        )
        return answers[0] if len(answers) == 1 else answers

    def program(self, method_name: str = "forward") -> Program:
        """Return the Program."""
        return self._concrete.main_program


def load(path: str, **configs: Any) -> TranslatedLayer:
    """Load what :func:`save` (or ``static.save_inference_model``) saved, as a Layer.

    Raises:
        ValueError: if there is no such file, it is damaged, or from real Paddle.
    """
    prefix = _prefix(path)
    program, names, (inputs, outputs) = parsed(content_of(prefix + ".pdmodel"), prefix + ".pdmodel")
    found = io.load(memory.BytesIO(content_of(prefix + ".pdiparams")), return_numpy=True)
    values = found if isinstance(found, dict) else {}
    captured: list[tuple[Tensor, Variable]] = []
    for one in program.global_block().vars.values():
        if not one.persistable:
            continue
        array = values.get(one.name)
        if not isinstance(array, np.ndarray) or (array.shape, array.dtype) != (one.shape, one.meta.dtype):
            raise ValueError(f"{prefix}.pdiparams has no value of shape {one.shape} for {one.name!r}.")
        is_parameter = isinstance(one, StaticParameter)
        captured.append((Parameter(array, one.name, one.trainable) if is_parameter else Tensor(array), one))
    return TranslatedLayer(ConcreteProgram("forward", program, captured, inputs, outputs), names)
