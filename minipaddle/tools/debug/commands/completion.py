"""Completion by the Tab key, and the topics of `help TOPIC`. Each line of a topic is translated on its own."""

import glob
import os
from collections.abc import Iterable

from minipaddle.tools.debug.commands.base import SHORT, Desk
from minipaddle.tools.debug.stop_spec import TERMS, names_of_terms

TOPICS: dict[str, tuple[str, ...]] = {
    "spec": (
        "op:matmul*     an operator, by the name on its card",
        "var:fc1.w      what makes this value or its gradient",
        "layer:net[0]   what runs in a layer, and the gradients of that",
        "line:14        what a line of the script did; line:train.py:14",
        "pylayer:Cus*   the call of a PyLayer, and what runs in it",
        "block:2        what runs in a sub-block of a Program",
        "iteration:3    what runs in that iteration of a Program's loop",
        "pass:2         the second backward pass; also the words forward, backward",
        "nan inf zero   an output has a NaN, an Inf, or is all zero",
        "norm>10        also rms, max, min, mean, zeros, size; with > >= < <=",
        "if EXPR        Python over g, x, out, norm, rms, max, has_nan, np and the names of values",
        "Several terms: all must hold. * and ? stand for any characters.",
    ),
    "names": (
        "W              a value goes by the name of the script's variable, or of the layer's parameter: fc1.weight",
        "W@GRAD         its gradient on the way: what one operator sent back, or the sum of such",
        "W.grad         what arrived at a leaf and stays there, over several passes too",
        "x #2           the second thing that x was bound to, where one pass has several; x is the one at the cursor",
        "matmul_3       what has no variable is called after its operator and the event that made it",
        "net[0]         a layer, where goto, why, break and watch take one: its calls, or its parameters",
        "v7             data that the script gave no name",
        "A name stands for the latest value so called at the cursor; before the first there is, for that one.",
        "Where an expression needs a Python name, W@GRAD is written as it stands: print W@GRAD / 2",
    ),
    "forks": (
        "What if this number were another? `set NAME = EXPR` changes it at the cursor, in a copy of the recording.",
        "What depends on it and comes after is run again, operator by operator; the script is not run.",
        "Which way the script's own `if` and `while` went is part of the recording, and stays.",
        "`set k = 2 --rerun` changes a variable of Python's, and runs the script again, from the same start.",
        "`forks` lists the copies, `switch K` looks at one (0 is the recording), `diff K` shows what differs.",
        "for example:   goto h    set h = h * 0    goto end    diff",
    ),
}


class Completing(Desk):
    """Completes the arguments of each command."""

    def completedefault(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Return completions of the argument at the cursor, for the command of the line."""
        command, *given = line[:begin].split()
        before = line[:begin].rsplit(" ", 1)[-1] if " " in line[:begin] else ""  # `--hi` is `hi` to readline
        words = self._offered(SHORT.get(command, command), given[: len(given) - bool(before)], before + text)
        return sorted({word[len(before) :] for word in words if word.startswith(before + text)})

    complete_help = completedefault  # cmd.Cmd has one of its own

    def _offered(self, command: str, given: list[str], begun: str) -> Iterable[str]:
        """Return the words that `command` takes after the words that are `given`; the next one is `begun`."""
        names = [*self.session.names, *self.session.variables.names]
        match command, given:
            case "break" | "first", _ if "if" not in given:
                return [*TERMS, *names_of_terms(self.session.trace, begun)]
            case "goto", _:
                made = (value.name for value in self.session.trace.values if value.producer is not None)
                return [*made, "begin", "end"]
            case "step" | "next" | "back" | "rnext", _:
                return ["line"]
            case "help", _:
                return [*self.commands(), *TOPICS]
            case "record", _:
                found = glob.glob(glob.escape(begun) + "*")
                return [f"{one}{os.sep}" if os.path.isdir(one) else one for one in found]
        return names


def complete_whole_names() -> None:
    """Let completion see ``W@GRAD``, ``self.w`` and ``op:relu`` as one word each (there is no readline on Windows)."""
    try:
        import readline
    except ImportError:
        return
    readline.clear_history()  # it may hold lines that the script read by `input`
    readline.set_completer_delims(" \t()[]+-*/,=")
