"""The tensor checker: every operator is asked for what is not finite, as told by a configuration."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from minipaddle.ops.random.generator import engine
from minipaddle.paddle.amp.debugging import DebugMode, checks_for
from minipaddle.paddle.framework.nan_inf import check_every_operator
from minipaddle.paddle.framework.settings import seed


class TensorCheckerConfig:
    """What :func:`enable_tensor_checker` is to check. If `enable`, all random numbers begin again, at a seed it says.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/amp/debugging/TensorCheckerConfig_en.html)

    Args:
        enable: False: nothing is checked.
        debug_mode: whether to raise, or to write a line: of what is not finite, of what float16 cannot hold, of all.
        output_dir: a directory for the lines; None: standard output.
        checked_op_list: names of the operators to look at; None: all.
        skipped_op_list: names of those to pass over.
        debug_step: pair: count the calls of `enable_tensor_checker`, and check from the first to before the second.
        stack_height_limit: accepted: an error names the user's line.

    Raises:
        ValueError: **must be list or tuple**.
        AssertionError: if `debug_step` is no pair that grows.
    """

    current_step_id: int = 0

    def __init__(
        self,
        enable: bool,
        debug_mode: DebugMode = DebugMode.CHECK_NAN_INF_AND_ABORT,
        output_dir: str | None = None,
        checked_op_list: Sequence[str] | None = None,
        skipped_op_list: Sequence[str] | None = None,
        debug_step: Sequence[int] | None = None,
        stack_height_limit: int = 1,
    ) -> None:
        for name, given in (
            ("debug_step", debug_step),
            ("checked_op_list", checked_op_list),
            ("skipped_op_list", skipped_op_list),
        ):
            if given is not None and not isinstance(given, (list, tuple)):
                raise ValueError(f"{name} must be list or tuple")
        if debug_step is not None:
            assert len(debug_step) == 2 and debug_step[1] > debug_step[0], (
                "debug_step must be a pair that grows"
            )
        self.enable = enable
        self.debug_mode = debug_mode
        self.output_dir = output_dir
        self.checked_op_list = checked_op_list
        self.skipped_op_list = skipped_op_list
        self.debug_step = debug_step
        self.start_step: int | None = None
        self.end_step: int | None = None
        if debug_step is not None:
            self.start_step, self.end_step = max(debug_step[0], 0), debug_step[1]
        self.initial_seed = self.seed = int(engine().seed)
        if enable:
            self._begin_again()

    def _begin_again(self) -> None:
        """Let all random numbers begin at a seed, and say which."""
        if not 0 <= self.seed <= np.iinfo(np.uint32).max:
            sys.stdout.write("[Warning: Seed must be between 0 and 2**32 - 1\n")
            self.seed = 123
        seed(self.seed)
        np.random.seed(self.seed)
        sys.stdout.write(f"AMP Debugging TensorCheckerConfig: seed  {self.seed}\n")

    def update_and_check_step_id(self) -> bool:
        """Return whether to check now; where steps are counted, count one."""
        if self.start_step is None or self.end_step is None or not self.enable:
            return self.enable
        if not self.start_step <= TensorCheckerConfig.current_step_id < self.end_step:
            return False
        TensorCheckerConfig.current_step_id += 1
        return True

    def start_check_nan_inf(self) -> None:
        """Begin to check."""
        if self.enable:
            names = frozenset(self.checked_op_list or ()), frozenset(self.skipped_op_list or ())
            checks = checks_for(self.debug_mode, only=names[0], skipped=names[1], folder=self.output_dir)
            check_every_operator(checks)

    def stop_check_nan_inf(self) -> None:
        """Stop."""
        check_every_operator(None)


def enable_tensor_checker(checker_config: TensorCheckerConfig) -> None:
    """Check every operator and gradient from here on, as `checker_config` says.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/amp/debugging/enable_tensor_checker_en.html
    """
    if checker_config.update_and_check_step_id():
        checker_config.start_check_nan_inf()
    else:
        checker_config.stop_check_nan_inf()


def disable_tensor_checker() -> None:
    """Stop checking."""
    check_every_operator(None)
