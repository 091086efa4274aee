"""`minipaddle ops`: the catalogue of operators."""

from typing import Annotated

from typer import Argument, Option

from minipaddle.tools.cli.console import fail, print_json, results, show
from minipaddle.tools.words.language import nearest, say


def ops(
    name: Annotated[str | None, Argument(help="An operator, by its name or type.")] = None,
    as_json: Annotated[bool, Option("--json", help="JSON, for programs.")] = False,
) -> None:
    """List the operators, or show one: signature, formula, gradient, what it keeps, where its source is."""
    from minipaddle.engine.operator.operator import TABLE
    from minipaddle.tools.explain.catalogue import entry, entry_lines, find, names

    if name is None:
        if as_json:
            print_json(names())
        else:
            results().print(" ".join(names()), soft_wrap=False)
        return
    op = find(name)
    if op is None:
        hint = nearest(name, {*names(), *TABLE}) or say("; `minipaddle ops` lists them")
        fail(say("no operator {name}", name=repr(name)) + hint)
    show(list(entry_lines(op)), entry(op) if as_json else None)
