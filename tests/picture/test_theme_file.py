"""A theme of one's own is one file: it says what differs, and can say nothing but colours."""

import pytest

from minipaddle import paddle
from minipaddle.tools.picture.api import graph
from minipaddle.tools.picture.choices import BadOption, Options
from minipaddle.tools.picture.draw.theme import THEMES, read_theme


@pytest.fixture
def picture():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    return lambda **options: graph(paddle.tanh(x).sum(), **options)


def test_a_file_changes_what_it_says_and_no_more(tmp_path, picture):
    file = tmp_path / "sea.toml"
    file.write_text('base = "dark"\npaper = "#012345"\n[roles]\nop = ["#00aa88", "#ffffff"]\n')
    theme, dark = read_theme(file), THEMES["dark"]
    assert (theme.paper, theme.ink, theme.edges) == ("#012345", dark.ink, dark.edges)
    assert theme.roles["op"] == ["#00aa88", "#ffffff"]
    assert {**theme.roles, "op": 0} == {**dark.roles, "op": 0}
    drawn = picture(theme=str(file))
    assert "#00aa88" in drawn.svg()
    assert "#00aa88" in drawn.dot
    assert "#00aa88" not in picture().svg()


@pytest.mark.parametrize(
    "text",
    [
        'paper = "red"',
        'paper = "#fff\\" onload=\\"x"',
        "paper = 3",
        'colour = "#ffffff"',
        'base = "no such theme"',
        'scale = ["#ffffff"]',
        '[roles]\nop = "#ffffff"',
        '[roles]\nship = ["#ffffff", "#ffffff"]',
        '[edges]\ngradient = ["#ffffff", "#ffffff"]',
        'heavy = ["#ffffff"]',
        'roles = "#ffffff"',
        "paper = ",
    ],
)
def test_what_is_no_theme_is_refused_with_its_file(tmp_path, text):
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(BadOption, match=r"theme .*bad\.toml"):
        read_theme(file)


def test_a_missing_file_and_a_missing_word(tmp_path):
    with pytest.raises(BadOption, match="No such file"):
        read_theme(tmp_path / "none.toml")
    with pytest.raises(BadOption, match=f"there are {', '.join(THEMES)}, or a file"):
        Options(theme="no such theme")


def test_a_page_keeps_its_own_colours(tmp_path, picture):
    file = tmp_path / "sea.toml"
    file.write_text('paper = "#012345"\n')
    with pytest.raises(BadOption, match="a page has its own colours"):
        picture(theme=str(file)).html()


def test_on_the_command_line(run_cli, tmp_path):
    (tmp_path / "sea.toml").write_text('[edges]\ngradient = "#00aa88"\n')
    (tmp_path / "s.py").write_text(
        "import paddle\nx = paddle.to_tensor(2.0, stop_gradient=False)\n(x * x).backward()\n"
    )
    done = run_cli("graph", "s.py", "--theme", "sea.toml", "-o", "s.dot", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "#00aa88" in (tmp_path / "s.dot").read_text()
    (tmp_path / "sea.toml").write_text('paper = "red"\n')
    done = run_cli("graph", "s.py", "--theme", "sea.toml", "-o", "t.dot", cwd=tmp_path)
    assert done.returncode == 2
    assert "paper = 'red'" in done.stderr
    assert not (tmp_path / "t.dot").exists()
