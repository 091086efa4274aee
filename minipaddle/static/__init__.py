"""paddle.static: Programs that are written down now and run later."""

from minipaddle.core.missing import missing
from minipaddle.ops.indexing import setitem
from minipaddle.static import nn
from minipaddle.static.arithmetic import attach_arithmetic
from minipaddle.static.backward import append_backward, gradients
from minipaddle.static.block import Block
from minipaddle.static.compiled import (
    BuildStrategy,
    CompiledProgram,
    ExecutionStrategy,
    cpu_places,
    cuda_places,
    device_guard,
    xpu_places,
)
from minipaddle.static.data import data
from minipaddle.static.executor import Executor
from minipaddle.static.inference import (
    deserialize_persistables,
    deserialize_program,
    load_from_file,
    load_inference_model,
    normalize_program,
    save_inference_model,
    save_to_file,
    serialize_persistables,
    serialize_program,
)
from minipaddle.static.input_spec import InputSpec
from minipaddle.static.metrics import accuracy
from minipaddle.static.moving_average import ExponentialMovingAverage
from minipaddle.static.name_scope import name_scope
from minipaddle.static.operator import Operator
from minipaddle.static.parameters import create_global_var, create_parameter
from minipaddle.static.printing import Print
from minipaddle.static.program import Program, default_main_program, default_startup_program, program_guard
from minipaddle.static.py_func import py_func
from minipaddle.static.scope import Scope, global_scope, scope_guard
from minipaddle.static.state import load, load_program_state, save, set_program_state
from minipaddle.static.variable import Parameter, Variable

__all__ = [
    "BuildStrategy",
    "CompiledProgram",
    "ExecutionStrategy",
    "Executor",
    "ExponentialMovingAverage",
    "InputSpec",
    "Print",
    "Program",
    "Scope",
    "Variable",
    "accuracy",
    "append_backward",
    "cpu_places",
    "create_global_var",
    "create_parameter",
    "cuda_places",
    "data",
    "default_main_program",
    "default_startup_program",
    "deserialize_persistables",
    "deserialize_program",
    "device_guard",
    "global_scope",
    "gradients",
    "load",
    "load_from_file",
    "load_inference_model",
    "load_program_state",
    "name_scope",
    "nn",
    "normalize_program",
    "program_guard",
    "py_func",
    "save",
    "save_inference_model",
    "save_to_file",
    "scope_guard",
    "serialize_persistables",
    "serialize_program",
    "set_program_state",
    "setitem",
    "xpu_places",
]

attach_arithmetic()
__getattr__ = missing(__name__, __all__)
