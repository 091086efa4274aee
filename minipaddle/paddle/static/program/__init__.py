"""The parts of a Program: Blocks that list Operators, and the Variables that these read and write."""

from minipaddle.paddle.static.program import append_op as append_op
from minipaddle.paddle.static.program.block import Block, meta_from
from minipaddle.paddle.static.program.input_spec import InputSpec
from minipaddle.paddle.static.program.operator import Operator, Role
from minipaddle.paddle.static.program.program import (
    Program,
    current_block,
    default_main_program,
    default_startup_program,
    program_guard,
)
from minipaddle.paddle.static.program.sizes import Dim
from minipaddle.paddle.static.program.table_operator import TableOperator
from minipaddle.paddle.static.program.variable import Parameter, Variable

__all__ = [
    "Block", "Dim", "InputSpec", "Operator", "Parameter", "Program", "Role", "TableOperator", "Variable",
    "current_block", "default_main_program", "default_startup_program", "meta_from", "program_guard",
]  # fmt: skip
