"""The cure that an error's hint names cures: the change below each transcript of a mistake, applied to its script."""

import linecache
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minipaddle.importer import paddle_is_minipaddle
from minipaddle.tools.run import advice as module
from minipaddle.tools.run.advice import advice
from tests.support.commands import run_command
from tests.support.process import ROOT
from tests.support.transcript_pages import claims

PAGES = [ROOT / "tests/transcripts" / page for page in ("mistakes.md", "mistakes_in_forums.md")]
CURES = {claim.title: claim.text for page in PAGES for claim in claims(page) if "```diff\n" in claim.text}


def part(text, kind):
    return text.split(f"```{kind}\n")[1].split("```")[0]


def lines(text, sign):
    return "".join(f"{line[1:]}\n" for line in text.splitlines() if line.startswith(sign))


@pytest.mark.parametrize("title", CURES)
def test_the_named_cure_cures(title, tmp_path):
    script, said, cure = (part(CURES[title], kind) for kind in ("python", "console", "diff"))
    for change in re.findall(r"(?:^-.*\n)+(?:^\+.*\n)*", cure, re.MULTILINE):
        assert script.count(lines(change, "-")) == 1
        script = script.replace(lines(change, "-"), lines(change, "+"))
    new = {*re.findall(r"\w+", lines(cure, "+"))} - {*re.findall(r"\w+", lines(cure, "-"))}
    assert {word for word in new if word not in said} == set(), "the hint does not name the cure"
    path = tmp_path / "script.py"
    path.write_text(script, encoding="utf-8")
    assert run_command("run", path).returncode == 0


VALUES = """import numpy as np
import paddle


class Kind_(paddle.nn.Layer):
    def forward(self, x):
        x * 2

    def _init_(self):
        pass


class Rude_:
    def __getattr__(self, name):
        raise KeyError(name)

    __eq__ = None


def empty_(x):
    x * 2


leaf_ = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
frozen_, sum_, whole_ = paddle.ones([2]), leaf_.sum(), paddle.to_tensor([1, 2])
net_, linear_, rude_, absent_, array_ = Kind_(), paddle.nn.Linear(2, 1), Rude_(), None, np.ones(2)
result_, listed_ = net_(frozen_), paddle.grad(sum_, leaf_, retain_graph=True)
loss_, kind_, loader_ = paddle.nn.MSELoss, Kind_, paddle.io.DataLoader([1, 2])
"""
NAMES = {*re.findall(r"\b[A-Za-z]+_\b", VALUES)}
ORIGINS = {"result_": {"net_", "frozen_", "Kind_"}, "net_": {"Kind_"}, "kind_": {"Kind_"}}
SIMPLE = st.sampled_from(sorted(NAMES))
ATTRIBUTES = st.sampled_from(
    ["grad", "backward", "numpy", "mean", "shape", "data", "cuda", "forward", "parameters"]
)


def larger(part):
    pairs = st.tuples(part, part, st.sampled_from(["+", "@", ">", "and"]))
    return st.one_of(
        st.builds("{}.{}".format, part, ATTRIBUTES),
        st.builds("{}({})".format, part, part),
        st.builds("{}()".format, part),
        st.builds("{}[{}]".format, part, part | st.just("0")),
        st.builds("f'{{{}:.2f}}'".format, part.filter(lambda text: "'" not in text)),
        st.builds("paddle.sum({}, dim={})".format, part, part),
        pairs.map(lambda three: f"({three[0]} {three[2]} {three[1]})"),
    )


@given(
    st.sampled_from(
        ["{}", "for _ in {}: pass", "with {}: pass", "(_,) = {}", "if {}: pass", "leaf_.data = {}"]
    ),
    st.recursive(SIMPLE, larger, max_leaves=4),
)
def test_a_hint_names_only_what_the_failing_line_has_and_no_rule_raises(line, expression):
    text = VALUES + line.format(expression) + "\n"
    linecache.cache["/random.py"] = (len(text), None, text.splitlines(keepends=True), "/random.py")
    with paddle_is_minipaddle(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "suppress", lambda *_: paddle_is_minipaddle())  # a rule that raises is heard
        try:
            exec(compile(text, "/random.py", "exec"), {})
        except Exception as error:
            said = advice(error)
        else:
            return
    told = {*re.findall(r"\w+", said)} & NAMES
    there = {*re.findall(r"\w+", f"{line} {expression}")}
    assert told <= there.union(*(ORIGINS.get(name, ()) for name in there))
