"""Prose in Chinese: how a text is cut into units, and put together again."""

from rich.cells import cell_len

from minipaddle.tools.words.prose import markdown_in_chinese, script_in_chinese
from tests.support.translations import units_of

MARKDOWN = """\
# The tape

Each call leaves
a note (`grad_fn`). They are
**linked** to each other.
**Goals:** read one.

- first, on
  two lines
- second

Of lessons 4 and
5. one is long.

1. write
2. run

| word | meaning |
|---|---|
| `x` | a leaf |
| `y` | |

    y = x * x

```python
# a comment

y.backward()
```

The end.
"""
UNITS = [
    "The tape",
    "Each call leaves a note (`grad_fn`). They are **linked** to each other.",
    "**Goals:** read one.",
    "first, on two lines",
    "second",
    "Of lessons 4 and 5. one is long.",
    "write",
    "run",
    "| word | meaning |",
    "| `x` | a leaf |",
    "The end.",
]


def test_a_text_is_cut_into_headings_paragraphs_items_and_rows():
    assert units_of(MARKDOWN) == UNITS


def test_what_is_no_prose_stays_and_what_has_no_entry_is_english():
    chinese = {"The tape": "记录带", "first, on two lines": "甲", "| `x` | a leaf |": "| `x` | 叶子 |"}
    told = (
        MARKDOWN.replace("leaves\na", "leaves a")
        .replace("are\n**linked", "are **linked")
        .replace("and\n5", "and 5")
    )
    for english, said in {"The tape": "记录带", "first, on\n  two lines": "甲", "a leaf": "叶子"}.items():
        told = told.replace(english, said)
    assert markdown_in_chinese(MARKDOWN, chinese) == told


def test_prose_and_comments_on_lines_of_their_own_are_translated():
    script = "# %% [markdown]\n# # The tape\n#\n# A note.\n\n# %%\n    # A note.\nx = 1  # A note.\n"
    assert units_of(script, True) == ["The tape", "A note."]
    assert script_in_chinese(script, {"A note.": "一条记录。"}) == script.replace("A note.", "一条记录。", 2)


def test_remarks_in_a_shell_and_the_text_for_a_picture_are_translated():
    text = '<p><img src="a.svg" alt="A tape"></p>\n\n```sh\na.py   # run it\n```\n\n```python\nx = 1   # run it\n```\n'
    assert units_of(text) == ['A tape"></p>', "run it"]
    told = text.replace("A tape", "记录带").replace("run it", "运行", 1)
    assert markdown_in_chinese(text, {'A tape"></p>': '记录带"></p>', "run it": "运行"}) == told


def test_chinese_is_folded_between_characters_but_not_within_code_or_before_a_comma():
    said = "把 `paddle.grad(y, x)` 的结果，也就是**梯度**，存入列表（见[第 9 课](09_x.py)）。" * 3
    lines = markdown_in_chinese("- One.\n", {"One.": said}, width=40).rstrip("\n").split("\n")
    assert len(lines) > 3
    assert all(cell_len(line) <= 40 for line in lines)
    assert [line[:2] for line in lines] == ["- ", *["  "] * (len(lines) - 1)]
    assert not any(line.strip().startswith(("，", "。", "）", "**")) for line in lines[1:])
    assert all(line.count("`") % 2 == 0 for line in lines)
    assert "".join(line[2:] for line in lines).replace(" ", "") == said.replace(" ", "")
