"""`minipaddle graph --depth` and `--open`: closed frames are reported, and open by their names."""

import json

import pytest

NET = """
import paddle
paddle.seed(0)
attention = paddle.nn.MultiHeadAttention(16, 4)
x = paddle.ones([2, 5, 16])
attention(x, x, x).mean().backward()
"""
SAID = "4 layers are closed: --open q_proj opens one, --depth 2 the next level, --depth all every one"


@pytest.fixture
def net(write_script):
    return write_script(NET)


def frames_of(run_cli, net, tmp_path, *options):
    """Return the titles of the frames that are open forward."""
    target = tmp_path / "net.json"
    done = run_cli("graph", net, *options, "-o", target)
    assert done.returncode == 0, done.stderr
    drawn = json.loads(target.read_text(encoding="utf-8"))
    return {one["title"] for one in drawn["clusters"] if one["side"] == "forward"}


def test_the_terminal_says_what_is_closed_and_what_to_type(run_cli, net, tmp_path):
    done = run_cli("graph", net, "-o", tmp_path / "net.dot", env={"NO_COLOR": "1", "COLUMNS": "80"})
    assert f"minipaddle: {SAID}" in " ".join(done.stderr.split())
    assert SAID in (tmp_path / "net.dot").read_text(encoding="utf-8")
    whole = run_cli("graph", net, "--depth", "all", "-o", tmp_path / "net.dot")
    assert "closed" not in whole.stderr


def test_names_open_layers(run_cli, net, tmp_path):
    frame = "attention: MultiHeadAttention"
    assert frames_of(run_cli, net, tmp_path, "--depth", "1") == {frame}
    named = frames_of(run_cli, net, tmp_path, "--depth", "1", "--open", "q_proj", "--open", "out_proj")
    assert named == {frame, "q_proj: Linear", "out_proj: Linear"}
    assert len(frames_of(run_cli, net, tmp_path, "--depth=0", "--open=Linear")) == 5


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ("--open", "nix"),
            "open: no layer is called 'nix'; there are attention, q_proj, k_proj, v_proj, out_proj",
        ),
        (("--depth", "few"), "depth few: frames are counted from 0, or all of them are open: all"),
    ],
)
def test_what_there_is_not(run_cli, net, tmp_path, options, said):
    done = run_cli("graph", net, *options, "-o", tmp_path / "net.svg")
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert not (tmp_path / "net.svg").exists()


def test_show_opens_the_drawing(run_cli, net, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    done = run_cli("graph", net, "--show")
    assert done.returncode == 0, done.stderr
    assert [url[-5:] for url in opened] == [".html"]
