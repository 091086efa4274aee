"""`minipaddle check`: every gradient of a run, or of one operator, against how the outputs really change."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Exit, Option

from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.console import ExitCode, show
from minipaddle.tools.cli.record import Script, insist_on_pattern, one_step, recorded

if TYPE_CHECKING:
    from minipaddle.tools.record import Trace


def check(
    words: common.Words = None,
    module: common.Module = None,
    eps: Annotated[
        float | None,
        Option(min=1e-12, help="How far an input of NumPy code is moved (as its precision wants it)."),
    ] = None,
    tol: Annotated[
        float, Option(min=0, help="Relative difference that is a mistake, where the numbers are so good.")
    ] = 1e-3,
    dtype: Annotated[
        Literal["float64", "float32"],
        Option(help="In what precision the operators run when an input is moved."),
    ] = "float64",
    except_: Annotated[
        list[str] | None,
        Option(
            "--except",
            metavar="NAME",
            help="A PyLayer or function whose backward is meant not to be the gradient.",
        ),
    ] = None,
    node: Annotated[str, Option(metavar="RE", help="Only operators with such a name.")] = "",
    as_json: common.AsJson = False,
    pass_number: common.PassNumber = None,
    passes: common.Passes = "first",
    seed: common.Seed = None,
    max_mb: common.MaxMb = common.MAX_MB,
) -> None:
    """Check every PyLayer and operator that a script differentiates, or one operator by its name.

    A PyLayer is compared with the gradient of the operators that its forward applied, at every call and element; where
    it computes with NumPy, and for the operators themselves, inputs are moved a little. Exit code 3: one is wrong, or
    none could be checked. What cannot be checked is said to be unchecked. `# minipaddle: not the gradient` at a
    class (or `--except`) says that its backward is meant to be something else.
    """
    from minipaddle.tools.checks.gradient import results
    from minipaddle.tools.checks.gradient.check import check_group, groups

    insist_on_pattern("--node", node)
    script = Script(words, module, seed, as_json)
    trace = _of_operator(words) or recorded(script, max_mb, one_step(pass_number, passes))
    how = results.How(eps, tol, dtype, except_ or ())
    chosen = [group for group in groups(trace) if re.search(node, group[0].title)]
    found = [one for group in chosen for one in check_group(trace, group, how)]
    ordered = sorted(found, key=lambda one: one.verdict != "wrong")
    lines = [results.check_line(trace, one) for one in ordered]
    lines.append(results.check_summary(found))
    show(lines, {"check": [results.check_object(trace, one) for one in ordered]} if as_json else None)
    fine = results.any_checked(found) and ordered[0].verdict != "wrong"
    raise Exit(trace.exit_code or (ExitCode.OK if fine else ExitCode.FINDING))


def _of_operator(words: list[str] | None) -> Trace | None:
    """Return a recording of one call of an operator, if the only word names an operator and no file."""
    if not words or len(words) > 1 or not words[0].isidentifier() or Path(words[0]).exists():
        return None
    from minipaddle.tools.checks.gradient.check import record_operator
    from minipaddle.tools.explain.catalogue import find

    op = find(words[0])
    return None if op is None else record_operator(op)
