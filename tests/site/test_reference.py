"""The reference: every public name once, and what it says of operators is what they do."""

import re
from types import ModuleType

import numpy as np
import pytest

import minipaddle
from docs.site.reference import modules, pages
from docs.site.reference.entry import entry
from docs.site.reference.example import example
from docs.site.reference.text import escaped, markdown, page_of
from minipaddle.paddle import namespace
from minipaddle.tools.explain.catalogue import find
from minipaddle.tools.words.language import language

NO_PAGES = {
    "compat",
    "core",
    "base",
    "framework",
    "reader",
    "dataset",
    "batch",
    "sysconfig",
    "version",
    "cuda",
    "hapi",
    "random",
}
"""Rooms that are old names, or facts of an installation, or shown by their parts."""
ARGS = """Gather rows (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/gather_en.html).

Of x * y, `a_b` stays.

Args:
    x: a tensor,
        of two axes.
    *index: some.

Raises:
    ValueError: **bad index**.
"""


def written(name: str, value: object) -> str:
    op = find(name.rpartition(".")[2])
    made = pages.made_of(op)
    return "\n".join(entry(name, value, op, made, "", lambda word: word))


def test_every_public_room_has_a_page():
    shown = {name.partition(".")[0] for name in modules.MODULES} | NO_PAGES
    names = list(namespace.__all__)
    rooms = [name for name in names if isinstance(getattr(minipaddle.paddle, name), ModuleType)]
    assert len(rooms) > 20
    assert [name for name in rooms if name not in shown] == []


def test_every_name_of_paddle_stands_on_one_page():
    listed = [name for page in modules.pages() for name, _ in page.names]
    assert [name for name in listed if listed.count(name) > 1] == []
    public = {
        f"paddle.{name}"
        for name in set(namespace.__all__)
        if callable(value := getattr(minipaddle.paddle, name)) and not isinstance(value, ModuleType)
    }
    assert public - set(listed) == set()


def test_a_docstring_becomes_fields_and_loses_its_address():
    said = markdown(ARGS)
    assert "Gather rows" in said
    assert r"Of x \* y, `a_b` stays." in said
    assert r":param x: a tensor, of two axes." in said
    assert r":param \*index: some." in said
    assert ":raises ValueError: **bad index**." in said
    assert page_of(ARGS).endswith("paddle/gather_en.html")


@pytest.mark.parametrize("text", ["[0, 1]", "<b>", "a|b", "$x$", "#5", "x_y_", "{role}`x`"])
def test_what_means_something_to_markdown_is_escaped(text):
    assert re.sub(r"\\(.)", r"\1", escaped(text)) == text
    assert re.search(r"(?<!\\)[\[\]<>|$#_{}]", re.sub("`[^`]*`", "", escaped(text))) is None


def test_an_operator_is_shown_with_its_rules_its_shapes_and_its_error():
    said = written("paddle.matmul", minipaddle.paddle.matmul)
    assert r"\frac{\partial L}{\partial \mathit{x}} = \mathit{dy} \, y^{\mathsf T}" in said
    assert r"\frac{\partial L}{\partial \mathit{y}} = x^{\mathsf T} \, \mathit{dy}" in said
    made = example(find("matmul"))
    assert [list(one.shape) for _, one in made.inputs] == [[2, 3], [3, 2]]
    assert r"`x` \[2, 3\] float64, `y` \[3, 2\] float64 → `out` \[2, 2\] float64" in said
    assert ":raises ValueError:" in said
    assert "paddle/matmul_en.html" in said
    assert "../minipaddle/ops/linalg/matmul.py#L-" in said


def test_an_operator_without_a_rule_says_so():
    assert "No gradient." in written("paddle.argmax", minipaddle.paddle.argmax)


def test_pages_pictures_and_language(tmp_path):
    pages.write(tmp_path, "zh")
    assert language() == "en"
    pictures = sorted((tmp_path / "reference" / "pictures").glob("*.svg"))
    assert len(pictures) > 100
    for picture in pictures:
        assert "generated_tensor" not in picture.read_text(encoding="utf-8")
    math = (tmp_path / "reference" / "paddle-math.md").read_text(encoding="utf-8")
    assert "**计算**" in math
    shown = set(
        re.findall(r"\{image\} (pictures/\S+)", "".join(p.read_text("utf-8") for p in tmp_path.rglob("*.md")))
    )
    assert {f"pictures/{picture.name}" for picture in pictures} == shown


def test_the_example_is_what_the_kernel_gives():
    made = example(find("add"))
    (_, x), (_, y) = made.inputs
    np.testing.assert_array_equal(made.outputs[0][1].numpy(), x.numpy() + y.numpy())
