"""paddle.static: Programs that are written down now and run later."""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.ops.indexing.index import setitem
from minipaddle.paddle.nn.parameter.create import create_parameter
from minipaddle.paddle.static import nn
from minipaddle.paddle.static.build.parameters import create_global_var, data
from minipaddle.paddle.static.custom.call_at_run import late as _late
from minipaddle.paddle.static.custom.print import Print
from minipaddle.paddle.static.custom.py_func import py_func
from minipaddle.paddle.static.executor.compiled_program import (
    BuildStrategy,
    CompiledProgram,
    ExecutionStrategy,
    cpu_places,
    cuda_places,
)
from minipaddle.paddle.static.executor.executor import Executor
from minipaddle.paddle.static.files.inference_model import (
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
from minipaddle.paddle.static.files.state import load, load_program_state, save, set_program_state
from minipaddle.paddle.static.gradient import append_backward, gradients
from minipaddle.paddle.static.nn.common import accuracy
from minipaddle.paddle.static.program import (
    Block,
    InputSpec,
    Operator,
    Parameter,
    Program,
    Variable,
    default_main_program,
    default_startup_program,
    program_guard,
)
from minipaddle.paddle.static.program.name_scope import name_scope
from minipaddle.paddle.static.scope import Scope, global_scope, scope_guard

__all__ = [
    "BuildStrategy", "CompiledProgram", "ExecutionStrategy", "Executor",
    "InputSpec", "Print", "Program", "Scope", "Variable", "accuracy", "append_backward",
    "cpu_places", "create_global_var", "create_parameter", "cuda_places", "data", "default_main_program",
    "default_startup_program", "deserialize_persistables", "deserialize_program",
    "global_scope", "gradients", "load", "load_from_file", "load_inference_model", "load_program_state",
    "name_scope", "nn", "normalize_program", "program_guard", "py_func", "save", "save_inference_model",
    "save_to_file", "scope_guard", "serialize_persistables", "serialize_program", "set_program_state",
    "setitem",
]  # fmt: skip
__getattr__ = front(globals())
