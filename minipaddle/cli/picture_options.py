"""The options of a picture on the command line: those of Python, asked for in their order and words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from inspect import Parameter, signature
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import typer

from minipaddle.viz.choices import Options

F = TypeVar("F", bound=Callable[..., Any])


def taking_options(before: str) -> Callable[[F], F]:
    """Return a decorator: the command has an option for each of a picture, too, and is called with it by keyword.

    In the help they stand `before` one of its own.
    """

    def taking(command: F) -> F:
        own = signature(command, eval_str=True)
        shown = [one for one in own.parameters.values() if one.kind is not one.VAR_KEYWORD]
        place = [one.name for one in shown].index(before)
        shown[place:place] = _asked()
        vars(command)["__signature__"] = own.replace(parameters=shown)
        return command

    return taking


def _asked() -> Iterator[Parameter]:
    """Yield a parameter, as Typer reads it, for each option that has help."""
    kinds = get_type_hints(Options, include_extras=True)
    for one in fields(Options):
        if get_origin(kinds[one.name]) is Annotated:
            kind, said = get_args(kinds[one.name])
            plain = kind is bool and not one.default  # without a --no-...
            names = [f"--{one.name.replace('_', '-')}"] if plain else []
            default = None if said.typed else one.default
            option = typer.Option(default, *names, help=said.words, metavar=said.metavar)
            read = said.typed | None if said.typed else kind
            yield Parameter(one.name, Parameter.POSITIONAL_OR_KEYWORD, default=option, annotation=read)
