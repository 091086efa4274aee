"""paddle.static: Programs that are written down now and run later."""

from minipaddle.static import nn
from minipaddle.static.arithmetic import attach_arithmetic
from minipaddle.static.backward import append_backward, gradients
from minipaddle.static.block import Block
from minipaddle.static.data import data
from minipaddle.static.executor import Executor
from minipaddle.static.input_spec import InputSpec
from minipaddle.static.name_scope import name_scope
from minipaddle.static.operator import Operator
from minipaddle.static.parameters import create_global_var, create_parameter
from minipaddle.static.program import Program, default_main_program, default_startup_program, program_guard
from minipaddle.static.py_func import py_func
from minipaddle.static.scope import Scope, global_scope, scope_guard
from minipaddle.static.variable import Parameter, Variable

__all__ = [
    "Executor",
    "InputSpec",
    "Program",
    "Scope",
    "Variable",
    "append_backward",
    "create_global_var",
    "create_parameter",
    "data",
    "default_main_program",
    "default_startup_program",
    "global_scope",
    "gradients",
    "name_scope",
    "nn",
    "program_guard",
    "py_func",
    "scope_guard",
]

attach_arithmetic()
