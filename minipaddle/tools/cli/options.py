"""Arguments shared by several commands, each with its help in one place: the script, and options of the recording."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from inspect import Parameter, signature
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from typer import Argument, Option

from minipaddle.tools.picture.choices import Options

Words = Annotated[
    list[str] | None,
    Argument(metavar="SCRIPT [-- ARGS]", help="The script, and after `--` what it is to find in sys.argv."),
]
Module = Annotated[
    str | None, Option("-m", metavar="MODULE", help="Run a module instead of a script, as `python -m` does.")
]
Seed = Annotated[
    int | None,
    Option("--seed", min=0, max=2**32 - 1, help="Seed paddle, numpy and random before the script starts."),
]
AsJson = Annotated[bool, Option("--json", help="One JSON object.")]
MAX_MB = 256  # default: a classroom model fits, and any laptop has the memory
MaxMb = Annotated[
    float,
    Option("--max-mb", min=0, help="Megabytes of numbers to keep; beyond them, statistics are kept instead."),
]
PassNumber = Annotated[
    int | None, Option("--pass", min=1, help="Record the training step of this backward pass.")
]
Locals = Annotated[bool, Option("--locals/--no-locals", help="Record Python's variables too, line by line.")]
HowMuch = Literal["first", "all"]
DrawnPass = Annotated[int | None, Option("--pass", min=1, help="Which backward pass (the last one).")]
Passes = Annotated[HowMuch, Option(help="Record the first training step, or all that the script does.")]


# -- options of a picture: those of Python's function, in the same order and words -------------------------------------

F = TypeVar("F", bound=Callable[..., Any])


def taking_options(before: str) -> Callable[[F], F]:
    """Return a decorator that adds the options of a picture to a command, which gets them by keyword.

    In the help they come `before` one of the command's own.
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
            plain = kind is bool and not one.default  # without a --no- form
            names = [f"--{one.name.replace('_', '-')}"] if plain else []
            default = None if said.typed else one.default
            option = Option(default, *names, help=said.words, metavar=said.metavar)
            read = said.typed | None if said.typed else kind
            yield Parameter(one.name, Parameter.POSITIONAL_OR_KEYWORD, default=option, annotation=read)
