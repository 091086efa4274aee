"""The picture as LaTeX: it compiles alone where there is a LaTeX, and TeX obeys none of its texts."""

import re
import shutil
import subprocess
from types import SimpleNamespace

import pytest

from minipaddle.tools.picture import choices
from minipaddle.tools.picture.choices import BadOption, Options
from minipaddle.tools.picture.picture import Picture

HOSTILE = r"\input{/etc/passwd} % _ # ^^5c $x$ & ~ \end{document} -- ?` [2pt] *"
ASCII = "".join(map(chr, range(32, 127)))
SCRIPT = """
class Own(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x): return x * 2
    @staticmethod
    def backward(ctx, dy): return dy * 2
Own.__name__ = {name!r}
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
(Own.apply(x) * 1e-300).sum().backward()
"""
EMPTY = "paddle.to_tensor(1.0, stop_gradient=False).backward()"
PRINTING = {"textbackslash", "textasciicircum", "textasciitilde", "textasciigrave", "ldots", "usepackage"}


def tex_of(draw, source, **options):
    return Picture(draw(source), None, Options(**options)).rendered("tex").data.decode()


@pytest.mark.parametrize("name", [HOSTILE, ASCII[:48], ASCII[48:], "é", "x" * 10_000, "重量", "Ж"])
def test_tex_obeys_no_name(draw, name):
    told, plain = (tex_of(draw, SCRIPT.format(name=one)) for one in (name, "Own"))
    printed = re.sub(r"\\[#$%&_{}]|\$[<>|]\$", "", told)
    assert {*re.findall(r"\\([A-Za-z]+)", printed)} - {*re.findall(r"\\([A-Za-z]+)", plain)} <= PRINTING
    assert printed.count("{") == printed.count("}")
    assert {*"$#&^_"}.isdisjoint(printed.partition("\\begin{document}")[2].replace("$\\cdot $", ""))
    engine = {"重量": ["xelatex"], "Ж": ["lualatex"]}.get(name, [])
    assert re.findall(r"^% !TEX program = (\w+)", told) == engine


@pytest.mark.parametrize("source", [SCRIPT.format(name=HOSTILE + "é"), EMPTY])
@pytest.mark.parametrize("options", [{}, {"bare": True, "width": "5cm", "theme": "dark"}])
def test_it_compiles_alone(draw, tmp_path, source, options):
    """Where LaTeX with its class standalone is not installed, the test above stands for this one."""
    (tmp_path / "figure.tex").write_text(tex_of(draw, source, **options), encoding="utf-8")
    ask = [shutil.which("kpsewhich") or "false", "standalone.cls"]
    if subprocess.run(ask, check=False, capture_output=True).stdout:
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "figure.tex"]
        subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=True)
        assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(("options", "words"), [
    ({"dpi": 0}, "dpi 0: a number from 10 to 2400"), ({"width": "12"}, "such as 12cm"),
    ({"width": "0cm"}, "such as 12cm"), ({"font": "\\input"}, "a family"), ({"font": "None"}, "is not installed"),
])  # fmt: skip
def test_an_impossible_size_or_font_is_refused(draw, monkeypatch, options, words):
    monkeypatch.setattr(choices.shutil, "which", lambda program: program)
    monkeypatch.setattr(choices.subprocess, "run", lambda *_, **__: SimpleNamespace(stdout="DejaVu Sans"))
    with pytest.raises(BadOption, match=words):
        Options(**options)
    assert '<svg width="144pt"' in Picture(draw(EMPTY), None, Options(width="5.08cm", bare=True)).svg()
