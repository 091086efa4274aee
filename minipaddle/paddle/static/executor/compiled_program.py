"""CompiledProgram, strategies and places, for scripts that use them; a Program here is always prepared in one way."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from minipaddle.engine.value.meta import CPUPlace
from minipaddle.paddle.static.program import Program

_OFF = """
    allow_cuda_graph_capture async_mode build_cinn_pass cache_runtime_context enable_addto enable_auto_fusion
    enable_sequential_execution fix_op_run_order fuse_adamw fuse_all_optimizer_ops fuse_bn_act_ops
    fuse_elewise_add_act_ops fuse_gemm_epilogue fuse_relu_depthwise_conv fused_attention fused_feedforward
    is_distribution sequential_run sync_batch_norm use_hierarchical_allreduce"""
_ON = """
    enable_backward_optimizer_op_deps enable_inplace fuse_all_reduce_ops fuse_bn_add_act_ops fuse_broadcast_ops
    remove_unnecessary_lock"""
"""Settings of a BuildStrategy, by their defaults."""


class ReduceStrategy(Enum):
    """How Paddle sums the gradients of several devices."""

    AllReduce = 0
    Reduce = 1


class GradientScaleStrategy(Enum):
    """How Paddle scales the loss for several devices."""

    CoeffNumDevice = 0
    One = 1
    Customized = 2


class BuildStrategy:
    """Options of Paddle's operator fusion: accepts every setting; none has an effect."""

    ReduceStrategy, GradientScaleStrategy = ReduceStrategy, GradientScaleStrategy

    def __init__(self) -> None:
        self.__dict__ |= dict.fromkeys(_OFF.split(), False) | dict.fromkeys(_ON.split(), True)
        self.reduce_strategy = ReduceStrategy.AllReduce
        self.gradient_scale_strategy = GradientScaleStrategy.CoeffNumDevice
        self.debug_graphviz_path = ""
        self.memory_optimize: bool | None = None
        self.num_trainers = self.nccl_comm_num = self.bkcl_comm_num = 1
        self.trainer_id = self.hierarchical_allreduce_inter_nranks = 0
        self.trainers_endpoints: list[str] = []


class ExecutionStrategy:
    """Options of Paddle's threads: accepts every setting; none has an effect."""

    def __init__(self) -> None:
        self.num_threads, self.num_iteration_per_drop_scope, self.num_iteration_per_run = 0, 100, 1
        self.allow_op_delay = self.use_thread_barrier = False
        self.use_experimental_executor = True


class CompiledProgram:
    """A Program for ``Executor.run``, with the same results.

    Raises:
        TypeError: **program_or_graph** is no Program.
    """

    def __init__(self, program_or_graph: Any, build_strategy: Any = None) -> None:
        if not isinstance(program_or_graph, Program):
            raise TypeError(
                "The type of program_or_graph parameter is wrong, expected Graph or Program, but received "
                f"{type(program_or_graph)}"
            )
        self._program = program_or_graph
        self.build_strategy = build_strategy or BuildStrategy()


def inner_program(program: Any) -> Program:
    """Return the Program of a CompiledProgram."""
    inner = getattr(program, "_program", None)
    if not isinstance(inner, Program):
        raise TypeError(
            "Executor requires Program as its Parameter. But you passed in "
            f"{type(program).__name__}: give a paddle.static.Program or CompiledProgram."
        )
    return inner


def cpu_places(device_count: int | None = None) -> list[CPUPlace]:
    """Return `device_count` (by default one) times the CPU."""
    return [CPUPlace() for _ in range(1 if device_count is None else device_count)]


def cuda_places(device_ids: Sequence[int] | None = None) -> list[Any]:
    """Raise: there is no GPU here.

    Raises:
        AssertionError: always, as a Paddle without CUDA does.
    """
    raise AssertionError("Not compiled with CUDA: minipaddle runs on the CPU only. Try cpu_places().")
