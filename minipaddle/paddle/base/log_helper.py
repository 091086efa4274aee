"""paddle.base.log_helper: loggers that write to the terminal in a form of their own."""

from __future__ import annotations

import logging

from minipaddle.engine.names.missing import missing

__all__ = ["get_logger"]


def get_logger(name: str, level: int | str, fmt: str | None = None) -> logging.Logger:
    """Return the logger `name`, which writes to standard error alone and not through the loggers above it.

    Args:
        name: of the logger, as in ``logging.getLogger``.
        level: what is told at least: ``logging.INFO``.
        fmt: the form of a line, as in ``logging.Formatter``.
    """
    logger = logging.getLogger(name)
    logger.setLevel(level)
    handler = logging.StreamHandler()
    if fmt:
        handler.setFormatter(logging.Formatter(fmt, datefmt="%a %b %d %H:%M:%S"))
    logger.handlers = [handler]
    logger.propagate = False
    return logger


__getattr__ = missing(__name__, __all__)
