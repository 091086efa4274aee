"""A dot that crashes, hangs or is missing: it is tried another way, or it is said why there is no picture."""

import stat
import sys

import pytest

from minipaddle.tools.picture.draw import render as engines
from minipaddle.tools.picture.draw.render import NoRenderer, Rendered, format_of, render
from minipaddle.tools.picture.model.focus import only
from minipaddle.tools.picture.picture import Picture

PYTHON = f"#!{sys.executable}\n"
LAYOUT = '{"bb": "0,0,9,9"}'
DRAWS = PYTHON + (
    "import sys; sys.stdin.read(); format = sys.argv[1].removeprefix('-T')\n"
    "signs = {'svg': (b'<svg>', b'</svg>'), 'png': (b'\\x89PNG', b'IEND'), 'pdf': (b'%PDF', b'%%EOF')}\n"
    f"format == 'json' and sys.exit(print('{LAYOUT}'))\n"
    "sys.stdout.buffer.write(format.encode().join(signs[format]))\n"
)
WRITES_RUBBISH = PYTHON + "import sys; sys.stdin.read(); print('not a picture')\n"
LAYS_OUT_ALONE = PYTHON + f"import sys; sys.stdin.read(); print('{LAYOUT}')\n"
CUT_OFF = LAYS_OUT_ALONE.replace("print(", "print('json' not in sys.argv[1] and '<svg>' or ")
CRASHES = PYTHON + "import sys; sys.stderr.write('trouble in init_rank'); sys.exit(134)\n"
HANGS = PYTHON + "import signal; signal.pause()\n"
SILENT = PYTHON + "import sys; sys.stdin.read()\n"
TRIPS_OVER_CURVES = PYTHON + (
    "import sys\nif 'json' not in sys.argv[1]: sys.exit(print('<svg>lines</svg>'))\n"
    "if 'splines=line' not in sys.stdin.read():\n    sys.exit('no room for a curve')\n"
    'print(\'{"bb": "0,0,9,9"}\')\n'
)

TRIPS_OVER_FRAMES = PYTHON + (
    "import sys\nif 'json' not in sys.argv[1]: sys.exit(print('<svg>frames</svg>'))\n"
    "if 'newrank' in sys.stdin.read():\n    sys.exit('trouble in init_rank')\n"
    'print(\'{"bb": "0,0,9,9"}\')\n'
)


@pytest.fixture
def program(tmp_path, monkeypatch):
    """`program(source)` makes that the only `dot` there is."""
    monkeypatch.setenv("PATH", str(tmp_path))

    def make(source):
        path = tmp_path / "dot"
        path.write_text(source, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    return make


@pytest.fixture
def graph(chain):
    return chain(2)


def test_dot_draws(program, graph):
    program(DRAWS)
    rendered = render(graph, "png")
    assert (rendered.data, rendered.engine, rendered.remarks) == (b"\x89PNGpngIEND", "dot", ())


@pytest.mark.parametrize("format", ["svg", "png", "pdf"])
def test_without_it_it_is_said_how_to_get_it_and_what_needs_none(program, graph, format):
    with pytest.raises(NoRenderer, match=r"install Graphviz .*; -o x\.html does not need it"):
        render(graph, format)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (CRASHES, "exit code 134: trouble in init_rank"),
        (SILENT, "exit code 0"),
        (WRITES_RUBBISH, "what it wrote is no json"),
        (LAYS_OUT_ALONE, "what it wrote is no svg"),
        (CUT_OFF, "what it wrote is no svg"),
        ("no such interpreter", "svg needs Graphviz"),
    ],
    ids=["crashes", "writes nothing", "writes rubbish", "lays out", "writes half", "no program"],
)
def test_a_dot_that_does_not_work(program, graph, source, said):
    program(source)
    with pytest.raises(NoRenderer) as raised:
        render(graph, "svg")
    assert said in str(raised.value)
    assert ("install" in str(raised.value)) == ("needs" in said)
    assert ("--depth 1 makes it smaller" in str(raised.value)) == ("needs" not in said)


def test_a_dot_that_hangs(program, graph, monkeypatch):
    monkeypatch.setattr(engines, "SECONDS", 0.2)
    program(HANGS)
    with pytest.raises(NoRenderer, match=r"no picture after 0\.2 seconds"):
        render(graph, "svg")


def test_straight_lines_are_tried(program, graph):
    program(TRIPS_OVER_CURVES)
    rendered = render(graph, "svg")
    assert (rendered.data, rendered.engine) == (b"<svg>lines</svg>\n", "dot")
    assert "no room for a curve; trying again with straight lines" in rendered.remarks[0]


def test_frames_are_ranked_the_old_way_before_lines_are_straight(program, graph):
    """Of a picture that has no row across its frames: Graphviz ends with "trouble in init_rank" for some of those."""
    program(TRIPS_OVER_FRAMES)
    with pytest.raises(NoRenderer, match="straight lines"):
        render(graph, "svg")
    backward = only(graph, [node.id for node in graph.nodes.values() if node.side == "backward"])
    assert render(backward, "svg") == Rendered(b"<svg>frames</svg>\n", "dot")


def test_dot_text_needs_no_engine(program, graph):
    assert render(graph, "dot").data.startswith(b"digraph minipaddle {")


def test_the_suffix_decides(graph, tmp_path):
    suffixes = ["svg", "PNG", "pdf", "tex", "dot", "json", "html"]
    assert [format_of(f"a.{suffix}") for suffix in suffixes] == [suffix.lower() for suffix in suffixes]
    for bad in ("a.jpg", "a", "svg"):
        with pytest.raises(ValueError, match=r"there are: \.svg, \.png, \.pdf, \.tex, \.dot"):
            format_of(bad)


def test_the_file_appears_whole_or_not_at_all(graph, tmp_path, monkeypatch):
    target = tmp_path / "a.dot"
    target.write_text("before", encoding="utf-8")
    monkeypatch.setattr("os.replace", lambda *names: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        Picture(graph).save(target)
    assert target.read_text(encoding="utf-8") == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["a.dot"]


def test_a_link_stays_a_link(graph, tmp_path):
    (tmp_path / "link.dot").symlink_to(tmp_path / "real.dot")
    Picture(graph).save(tmp_path / "link.dot")
    assert (tmp_path / "link.dot").is_symlink()
    assert (tmp_path / "real.dot").read_text(encoding="utf-8").startswith("digraph")
