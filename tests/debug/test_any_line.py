"""The prompt survives any line: every input is answered, never raised."""

import json
import random

import pytest

from minipaddle.tools.debug import Prompt, Session
from minipaddle.tools.words.terminal import ASCII
from tests.support.runs import train

PIECES = [
    "x", "w", "h", "loss", "w@GRAD", "w.grad", "nobody", "net[0]", "0.weight", "[", "]", "(", ")", "{", "}", ",",
    ".", "'", "\"", "\"unclosed", "'''", "\\", "\u0000", "\u001b[31m", "\u0007", "\u202e", "\ud7ff", "\t", "=",
    "==", ":", ";", "#", "lambda: 1", "lambda x: x(x)", "(lambda: 1)()", "[i for i in x]", "x if x else w",
    "x := 1", "await x", "yield", "1", "-1", "0", "1e400", "10**10**10", "nan", "1_0", "9" * 400, "0x", "1j",
    "...", "None", "*", "**", "@", "@GRAD", "np", "np.sum(x)", "np.zeros(10**12)", "np.ones((3, 3)) @ x",
    "x.__class__", "x[0]", "x[..., None]", "x[10]", "f'{x}'", "op:matmul", "var:w", "line:1", "pass:9", "norm>",
    "norm>1", "if", "if x", "iteration:x", "pylayer:", "block:", "nan inf",
    "a.mpt", "\x00.mpt", "\x00.svg",
    "a.svg", "a.dot", "/", "..", "x" + " + x" * 5_000,
    "(" * 3_000, "[" * 3_000, "-" * 5_000 + "1", "x" * 10_000, "x" + ".a" * 3_000, "not " * 3_000,
]  # fmt: skip
OTHERS = ["!", "!x", "!1 +", "!'", "!lambda", "a", "EOF", "", " ", "{", '{"id": 1}', "?", "??"]


def lines(seed, commands):
    """Return 25 lines: commands with arguments of all kinds, and invalid ones."""
    chance = random.Random(seed)
    made = []
    for _ in range(25):
        words = [chance.choice(PIECES) for _ in range(chance.randint(0, 3))]
        first = chance.choice([*commands, *OTHERS]) if chance.random() < 0.9 else chance.choice(PIECES)
        if first.startswith("!"):  # Python itself, which may compute as long as it likes
            words = [word for word in words if word != "10**10**10"]
        made.append(chance.choice([" ", "", "  "]).join([first + " ", *words]))
    return made


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("seeds", [range(start, start + 10) for start in (0, 10, 20, 30)], ids=str)
def test_any_line_is_answered(record, monkeypatch, tmp_path, seeds, as_json):
    monkeypatch.chdir(tmp_path)
    trace = record(train)
    for seed in seeds:
        said = []
        prompt = Prompt(Session(trace), ASCII, said.append, as_json=as_json)
        commands = [one for one in prompt.commands() if one not in ("shell", "quit")]
        for line in lines(seed, commands):
            prompt.run(line)
            prompt.postcmd(False, line)
        assert said
        assert not any("Traceback" in line for line in said)
        if as_json:
            assert all(isinstance(json.loads(line), dict) for line in said)
