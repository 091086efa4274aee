"""docs/course.md is true: its commands are run, its limits are the real ones."""

from minipaddle.tools.course.process import Limits
from tests.support.process import ROOT
from tests.support.transcripts import BLOCK, agrees, exchanges, lay_out, type_in

TEXT = (ROOT / "docs" / "course.md").read_text(encoding="utf-8")


def test_its_transcript(tmp_path):
    (block,) = BLOCK.findall(TEXT)
    lay_out(tmp_path)
    for command, said in exchanges(block):
        printed = [
            line for line in type_in(command, tmp_path) if not line.startswith("minipaddle: the inputs")
        ]
        assert agrees(said, printed), printed


def test_its_limits():
    assert "with 10 seconds (`--seconds`), 2 GB of memory (`--megabytes`) and a megabyte of output" in TEXT
    assert Limits() == Limits(seconds=10, megabytes=2048, printed=1_000_000)
