"""paddle.static: Programs that are built first and run later."""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.nn.parameter.create import create_parameter
from minipaddle.paddle.static import nn
from minipaddle.paddle.static.build.parameters import create_global_var, data
from minipaddle.paddle.static.custom.call_at_run import late as _late
from minipaddle.paddle.static.custom.py_func import py_func
from minipaddle.paddle.static.files import inference_model as inference_model
from minipaddle.paddle.static.gradient import append_backward, gradients
from minipaddle.paddle.static.program import Block as Block
from minipaddle.paddle.static.program import InputSpec, Program, program_guard
from minipaddle.paddle.static.program import Operator as Operator
from minipaddle.paddle.static.program import Parameter as Parameter
from minipaddle.paddle.static.program.program import default_main_program, default_startup_program

__all__ = [
    "InputSpec", "Program", "append_backward", "create_global_var", "create_parameter", "data",
    "default_main_program", "default_startup_program", "gradients", "nn", "program_guard", "py_func",
]  # fmt: skip
__getattr__ = front(
    globals(),
    {
        "minipaddle.ops.indexing.index": "setitem",
        "custom.print": "Print",
        "executor.compiled_program": "BuildStrategy CompiledProgram ExecutionStrategy cpu_places cuda_places",
        "executor.executor": "Executor",
        "files.inference_model": "load_inference_model save_inference_model",
        "files.state": "load load_program_state save set_program_state",
        "nn.common": "accuracy",
        "program.listing": "name_scope",
        "program.variable": "Variable",
        "scope": "Scope global_scope scope_guard",
    },
)
