"""Runs examples under one engine: a JSON example per line on stdin, a JSON verdict per line on stdout.

`python -m benchmarks.example_worker minipaddle`, or `paddle` under an interpreter that has it. The engine is imported
once; each example runs in a fork of its own, in an empty folder, and may take as long as LIMIT says. Verdicts:

`same`: it printed what the documentation says; `printing`: the same but for how Paddle 3.3.1, which eager mode follows,
prints a shape or a complex number (`paddle.Size([2, 3])` for `[2, 3]`, `(1.00000000+0.00000000j)` for `(1+0j)`), or for
the module that a class names: the file of ours where it stands;
`differs`: it printed something else; `missing`: a name that minipaddle lacks; `error`: it raised something else;
`endless`: it was stopped; `died`: the process ended by itself. With what differs goes all that the example `printed`,
and the type of the error that ended it.
"""

import ast
import contextlib
import io
import json
import os
import re
import select
import signal
import sys
import tempfile
import traceback
import warnings

LIMIT = 40
"""Seconds that an example may take."""
TOKEN = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\.\.\.|\w+|[^\s\w]")
SAME_PLACE = re.compile(r"Place\((?:cpu|gpu:0|gpu_pinned|undefined:0)\)")
CLASS = re.compile(r"<class '(?:mini)?paddle\.[\w.]*?(\w+)'>")
OBJECT = re.compile(r"<[\w.]+ object at 0x\w+>")
SIZE = re.compile(r"paddle\.Size\((\[[^\]]*\])\)")
NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
COMPLEX = re.compile(rf"\(\s*([-+]?{NUMBER})\+?([-+]?{NUMBER})j\)|([-+]?{NUMBER})j")


def main(engine):
    """Answer every line of stdin, until it ends."""
    if engine == "minipaddle":
        from minipaddle.importer import install

        install()
    __import__("paddle")
    for line in sys.stdin:
        example = json.loads(line)
        print(json.dumps({"name": example["name"], **in_a_fork(example["parts"])}), flush=True)


def in_a_fork(parts):
    """Run an example in a child of this process and return its verdict."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException), tempfile.TemporaryDirectory() as folder:
            os.setsid()
            os.chdir(folder)
            os.dup2(os.open(os.devnull, os.O_RDWR), 0)
            os.write(writing, json.dumps(verdict(parts)).encode()[:60_000])
        os._exit(0)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], LIMIT)
    said = os.read(reading, 65_536) if ready else b""
    os.close(reading)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return json.loads(said) if said else {"verdict": "died" if ready else "endless"}


def verdict(parts):
    """Run the parts of an example one after the other and say how they compare."""
    warnings.simplefilter("ignore")
    names = {"__name__": "__main__"}
    pending, everything, found = "", "", {"verdict": "same"}
    for part in parts:
        printed, error = run(part["source"], names)
        wanted = part["wanted"]
        pending += "".join(printed)
        everything += "".join(printed)
        if error is not None and not error_is_wanted(error, wanted):
            everything += type(error).__name__
            found = found if found["verdict"] == "differs" else raised(error)
            break
        texts = (printed[-1], "".join(printed), pending)
        if error is None and wanted and not any(agree(wanted, said) for said in texts):
            if any(agree(plain(wanted), plain(said)) for said in texts):
                found = {"verdict": "printing"} if found["verdict"] == "same" else found
            elif found["verdict"] != "differs":
                line = part["source"].strip().split("\n")[-1]
                found = {
                    "verdict": "differs",
                    "line": line,
                    "said": pending[:5_000],
                    "wanted": wanted[:5_000],
                }
        pending = "" if wanted else pending
    return found if found["verdict"] in ("same", "printing") else {**found, "printed": everything[:20_000]}


def plain(text):
    """Return a text with shapes as lists, complex numbers as their two parts, no addresses and no modules of classes.

    >>> plain("paddle.Size([2, 3]) (1.00000000+-2.00000000j) , 0j, (2+1j) <a.B object at 0x7f>")
    '[2, 3] 1.00000000 -2.00000000 J , 0 0 J, 2 1 J <object>'
    >>> plain("<class 'minipaddle.engine.tensor.tensor.Tensor'>") == plain("<class 'paddle.Tensor'>")
    True
    """
    text = SIZE.sub(r"\1", CLASS.sub(r"<\1>", OBJECT.sub("<object>", text)))
    return COMPLEX.sub(lambda found: f"{found[1] or 0} {found[2] or found[3]} J", text)


def run(source, names):
    """Run statements as a console does, and return what each printed, and what was raised."""
    printed = [""]
    try:
        for statement in ast.parse(source).body:
            with contextlib.redirect_stdout(io.StringIO()) as said:
                try:
                    exec(compile(ast.Interactive([statement]), "<example>", "single"), names)
                finally:
                    printed.append(said.getvalue())
    except BaseException as error:
        return printed, error
    return printed, None


def error_is_wanted(error, wanted):
    """Whether the documentation shows this very kind of error."""
    return type(error).__name__ in wanted and (
        "Traceback" in wanted or wanted.startswith(type(error).__name__)
    )


def raised(error):
    """The verdict on an example that raised: which name is missing, or what went wrong."""
    text = str(error).strip().split("\n")
    frames = traceback.extract_tb(error.__traceback__)
    missing = getattr(error, "name", None) if isinstance(error, AttributeError | ImportError) else None
    where = [frame.line or "" for frame in frames if frame.filename != "<example>"][-1:] or [""]
    return {
        "verdict": "missing" if missing else "error",
        "what": str(missing) if missing else type(error).__name__,
        "said": text[0][:300] if text else "",
        "at": where[0],
    }


def agree(wanted, printed):
    """Whether two texts say the same: white space aside, floats to 1e-4, `...` for anything.

    >>> agree("[0.5000, ...]", "[0.49999, 1, 2]"), agree("[1, 2]", "[1, 3]"), agree("Place(gpu:0)", "Place(cpu)")
    (True, False, True)
    """
    wanted, printed = (TOKEN.findall(SAME_PLACE.sub("Place(cpu)", text)) for text in (wanted, printed))
    return _agree(wanted, printed)


def _agree(wanted, printed):
    for at, token in enumerate(wanted):
        if token == "...":
            rest = wanted[at + 1 :]
            return not rest or any(_agree(rest, printed[start:]) for start in range(at, len(printed) + 1))
        if at >= len(printed) or not _same(token, printed[at]):
            return False
    return len(wanted) == len(printed)


def _same(wanted, printed):
    if wanted == printed:
        return True
    try:
        a, b = float(wanted), float(printed)
    except ValueError:
        return False
    return abs(a - b) <= 1e-4 + 1e-4 * abs(a) or (a != a and b != b)


if __name__ == "__main__":
    main(sys.argv[1])
