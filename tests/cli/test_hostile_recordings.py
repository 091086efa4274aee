"""Damaged or hostile recordings: every command refuses them in one line, with exit code 2."""

import io
import json
import re
import textwrap
import zipfile

import numpy as np
import pytest

SCRIPT = """
    import paddle

    w = paddle.to_tensor([0.0, 2.0, 3.0, 4.0, 5.0], stop_gradient=False)
    x = paddle.to_tensor([1.0, 2.0, 3.0, 4.0, 5.0])
    loss = (x / w * w).sum()
    loss.backward()
"""


@pytest.fixture(scope="module")
def whole(run_cli, tmp_path_factory):
    """The members of an intact recording."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "script.py").write_text(textwrap.dedent(SCRIPT))
    done = run_cli("trace", "script.py", "-o", "run.mpt", cwd=folder)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(folder / "run.mpt") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def npy(array, **options):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, **options)
    return file.getvalue()


def header(text):
    """An .npy with this text as its header."""
    body = text.encode().ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(body).to_bytes(2, "little") + body + b"\0" * 64


def every(contents, start, data):
    return {name: data if name.startswith(start) else content for name, content in contents.items()}


DEEP = b"[" * 100_000 + b"]" * 100_000
HOSTILE = {
    "a name that leads out": (lambda c: {**c, "../../out.txt": b"x"}, "no place in a recording"),
    "an absolute name": (lambda c: {**c, "/etc/cron.d/job": b"x"}, "no place in a recording"),
    "a Windows name": (lambda c: {**c, "C:\\run.bat": b"x"}, "no place in a recording"),
    "a pickle": (lambda c: {**c, "arrays/0.pkl": b"cos\nsystem\n(S'true'\ntR."}, "no place in a recording"),
    "a bomb": (lambda c: {**c, "sources/9.txt": b"\0" * (1 << 27)}, "claims"),
    "a deep head": (lambda c: {**c, "recording.json": DEEP}, "damaged"),
    "deep events": (lambda c: {**c, "events.jsonl": DEEP}, "damaged"),
    "deep values": (lambda c: {**c, "values.jsonl": DEEP}, "damaged"),
    "no events": (lambda c: {**c, "events.jsonl": b""}, "is beyond"),
    "nothing at all": (lambda c: {**c, "events.jsonl": b"", "values.jsonl": b""}, "is beyond"),
    "no head": (lambda c: {k: v for k, v in c.items() if k != "recording.json"}, "no recording.json"),
    "a head of another program": (lambda c: {**c, "recording.json": b"{}"}, "does not say"),
    "a later version": (
        lambda c: {**c, "recording.json": re.sub(rb'"version": \d+', b'"version": 99', c["recording.json"])},
        "version 99",
    ),
    "text that is no UTF-8": (lambda c: {**c, "values.jsonl": b"\xff\xfe"}, "damaged"),
    "numbers for lists": (
        lambda c: {**c, "values.jsonl": b"7\n" * len(c["values.jsonl"].splitlines())},
        "value 0",
    ),
}


def written(path, contents):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)


def refused(done, words):
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("minipaddle: ")
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_hostile_is_refused(run_cli, whole, tmp_path, name):
    change, words = HOSTILE[name]
    written(tmp_path / "run.mpt", change(whole))
    refused(run_cli("step", "run.mpt", "-c", "why", cwd=tmp_path), words)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.mpt"]  # nothing was unpacked


NOT_FOR_US = {
    "hostile": (lambda c: {**c, "../x": b""}, "no place in a recording"),
    "an operator that is not there": (
        lambda c: {**c, "events.jsonl": c["events.jsonl"].replace(b'"elementwise_mul"', b'"sequence_pool"')},
        "it needs the operator sequence_pool, which this minipaddle does not have: record the script again",
    ),
    "an earlier format": (
        lambda c: {**c, "recording.json": re.sub(rb'"version": \d+', b'"version": 1', c["recording.json"])},
        "record the script again",
    ),
}


@pytest.mark.parametrize("name", NOT_FOR_US)
@pytest.mark.parametrize("command", ["step", "graph", "flow", "nan", "check", "diff"])
def test_every_command_refuses(run_cli, whole, tmp_path, command, name):
    change, words = NOT_FOR_US[name]
    written(tmp_path / "run.mpt", change(whole))
    again = ["run.mpt"] if command == "diff" else []
    refused(done := run_cli(command, "run.mpt", *again, cwd=tmp_path), words)
    assert done.stderr.startswith("minipaddle: run.mpt: ")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_part_that_is_there_twice_is_refused(run_cli, whole, tmp_path):
    written(tmp_path / "run.mpt", whole)
    with zipfile.ZipFile(tmp_path / "run.mpt", "a") as archive:
        archive.writestr("values.jsonl", whole["values.jsonl"])
    refused(run_cli("step", "run.mpt", cwd=tmp_path), "there twice")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_refused(run_cli, whole, tmp_path, part):
    written(tmp_path / "run.mpt", whole)
    content = (tmp_path / "run.mpt").read_bytes()
    (tmp_path / "run.mpt").write_bytes(content[: int(part * len(content))])
    refused(run_cli("step", "run.mpt", cwd=tmp_path), "no recording, or a damaged one")


@pytest.mark.parametrize("seed", range(8))
def test_a_flipped_byte_never_gives_a_traceback(run_cli, whole, tmp_path, seed):
    written(tmp_path / "run.mpt", whole)
    content = bytearray((tmp_path / "run.mpt").read_bytes())
    for place in np.random.default_rng(seed).integers(0, len(content), 3):
        content[place] ^= 0xFF
    (tmp_path / "run.mpt").write_bytes(content)
    done = run_cli(
        "step", "run.mpt", "-c", "goto end", "-c", "back 3", "-c", "why", "-c", "nan", cwd=tmp_path
    )
    assert done.returncode in (0, 2)
    assert "Traceback" not in done.stdout + done.stderr


ARRAYS = {
    "objects": npy(np.array([print], dtype=object), allow_pickle=True),
    "code in the header": header("{'descr': __import__('os').system('touch owned'), 'shape': (5,)}"),
    "a call in the header": header("{'descr': '<f4', 'fortran_order': False, 'shape': (exit(),), }"),
    "a huge shape": header(f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({10**12},), }}"),
    "an overflowing shape": header(
        f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({2**62}, {2**62}), }}"
    ),
    "a negative shape": header("{'descr': '<f4', 'fortran_order': False, 'shape': (-5,), }"),
    "another shape": npy(np.zeros(3, "float32")),
    "another type": npy(np.zeros(5, "int64")),
    "a long header": b"\x93NUMPY\x02\x00" + (1 << 30).to_bytes(4, "little") + b"{" * 100,
    "nothing": b"",
    "text": b"hello",
}


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("command", ["step", "check", "nan", "diff"])
def test_numbers_that_are_none_are_refused_when_they_are_read(run_cli, whole, tmp_path, name, command):
    written(tmp_path / "run.mpt", every(whole, "arrays/", ARRAYS[name]))
    options = {"step": ["-c", "why"], "diff": ["run.mpt"]}.get(command, [])
    done = run_cli(command, "run.mpt", *options, cwd=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "arrays/" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert not (tmp_path / "owned").exists()


def test_a_whole_recording_is_none_of_these(run_cli, whole, tmp_path):
    written(tmp_path / "run.mpt", whole)
    done = run_cli("step", "run.mpt", "--json", "-c", "goto w.grad", cwd=tmp_path)
    assert done.returncode == 0
    assert json.loads(done.stdout.splitlines()[-1])["op"] == "w.grad"
