"""Engines that crash, hang or are missing: the next one draws, and a remark says so."""

import stat
import sys

import pytest

from minipaddle.tools.picture.draw import engines
from minipaddle.tools.picture.draw.render import (
    HINT,
    NoRenderer,
    Rendered,
    Session,
    drawn_by,
    format_of,
    render,
)
from minipaddle.tools.picture.draw.theme import Style
from minipaddle.tools.picture.model.focus import only
from minipaddle.tools.picture.picture import Picture

PYTHON = f"#!{sys.executable}\n"
DRAWS = PYTHON + (
    "import sys; sys.stdin.read(); format = sys.argv[1].removeprefix('-T')\n"
    "signs = {'svg': (b'<svg>', b'</svg>'), 'png': (b'\\x89PNG', b'IEND'), 'pdf': (b'%PDF', b'%%EOF')}\n"
    "sys.stdout.buffer.write(format.encode().join(signs[format]))\n"
)
WRITES_RUBBISH = PYTHON + "import sys; sys.stdin.read(); print('not a picture')\n"
CUT_OFF = PYTHON + "import sys; sys.stdin.read(); print('<svg>')\n"
CRASHES = PYTHON + "import sys; sys.stderr.write('trouble in init_rank'); sys.exit(134)\n"
HANGS = PYTHON + "import signal; signal.pause()\n"
SILENT = PYTHON + "import sys; sys.stdin.read()\n"
TRIPS_OVER_CURVES = PYTHON + (
    "import sys\nif 'splines=line' not in sys.stdin.read():\n    sys.exit('no room for a curve')\n"
    "print('<svg>lines</svg>')\n"
)

TRIPS_OVER_FRAMES = PYTHON + (
    "import sys\nif 'newrank' in sys.stdin.read():\n    sys.exit('trouble in init_rank')\n"
    "print('<svg>frames</svg>')\n"
)


@pytest.fixture
def program(tmp_path, monkeypatch):
    """`program(source)` makes that the only `dot` there is; pygraphviz is away."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(engines, "find_spec", lambda name: None)

    def make(source):
        path = tmp_path / "dot"
        path.write_text(source, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    return make


@pytest.fixture
def graph(chain):
    return chain(2)


def test_dot_comes_first(program, graph):
    program(DRAWS)
    rendered = render(graph, "png")
    assert (rendered.data, rendered.engine, rendered.remarks) == (b"\x89PNGpngIEND", "dot", ())


def test_without_any_the_drawing_is_ours(program, graph):
    rendered = render(graph, "svg")
    assert rendered.engine == "tape"
    assert rendered.remarks == (HINT,)
    assert rendered.data.startswith(b"<svg")


@pytest.mark.parametrize("format", ["png", "pdf"])
def test_without_any_there_is_no_bitmap(program, graph, format):
    with pytest.raises(NoRenderer, match="install Graphviz"):
        render(graph, format)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (CRASHES, "exit code 134: trouble in init_rank"),
        (SILENT, "exit code 0"),
        (WRITES_RUBBISH, "what it wrote is no svg"),
        (CUT_OFF, "what it wrote is no svg"),
    ],
    ids=["crashes", "writes nothing", "writes rubbish", "writes half"],
)
def test_a_dot_that_does_not_work(program, graph, source, said):
    program(source)
    rendered = render(graph, "svg")
    assert rendered.engine == "tape"
    assert any(said in remark for remark in rendered.remarks)
    assert HINT not in rendered.remarks  # it is installed


@pytest.mark.parametrize("format", ["png", "pdf"])
@pytest.mark.parametrize("source", [CRASHES, WRITES_RUBBISH])
def test_who_has_graphviz_is_not_told_to_install_it(program, graph, source, format):
    program(source)
    with pytest.raises(NoRenderer, match="--depth 1 makes it smaller") as raised:
        render(graph, format)
    assert "install" not in str(raised.value)


def test_a_dot_that_hangs(program, graph, monkeypatch):
    monkeypatch.setattr(engines, "SECONDS", 0.2)
    program(HANGS)
    rendered = render(graph, "svg")
    assert rendered.engine == "tape"
    assert any("no picture after 0.2 seconds" in remark for remark in rendered.remarks)


HANGS_AND_COUNTS = PYTHON + (
    "import signal, sys\n"
    "with open(__file__ + '.calls', 'a') as calls:\n    calls.write('called\\n')\n"
    "signal.pause()\n"
)
HANGS_AT_CURVES = PYTHON + (
    "import signal, sys\n"
    "if 'splines=line' not in sys.stdin.read():\n"
    "    with open(__file__ + '.calls', 'a') as calls:\n        calls.write('called\\n')\n"
    "    signal.pause()\n"
    "print('<svg>lines</svg>')\n"
)


@pytest.mark.parametrize(
    ("source", "calls", "engine"), [(HANGS_AND_COUNTS, 2, "tape"), (HANGS_AT_CURVES, 1, "dot")]
)
def test_an_engine_that_hung_is_not_waited_for_again(
    program, graph, monkeypatch, tmp_path, source, calls, engine
):
    monkeypatch.setattr(engines, "SECONDS", 2)
    program(source)
    session = Session()
    drawn = [render(graph, "svg", session=session) for _ in range(4)]
    assert [one.engine for one in drawn] == [engine] * 4
    assert len((tmp_path / "dot.calls").read_text(encoding="utf-8").splitlines()) == calls


def test_an_engine_that_crashed_may_draw_the_next_picture(program, graph):
    """That costs no time, and what crashes it is often one picture."""
    session = Session()
    program(CRASHES)
    assert render(graph, "svg", session=session).engine == "tape"
    program(DRAWS)
    assert render(graph, "svg", session=session).engine == "dot"


def test_straight_lines_are_tried_before_the_next_engine(program, graph):
    program(TRIPS_OVER_CURVES)
    rendered = render(graph, "svg")
    assert (rendered.data, rendered.engine) == (b"<svg>lines</svg>\n", "dot")
    assert "no room for a curve; trying again with straight lines" in rendered.remarks[0]


def test_frames_are_ranked_the_old_way_before_lines_are_straight(program, graph):
    """Of a picture that has no row across its frames: Graphviz ends with "trouble in init_rank" for some of those."""
    program(TRIPS_OVER_FRAMES)
    rows = render(graph, "svg")
    assert (rows.engine, "straight lines" in rows.remarks[0]) == ("tape", True)
    backward = only(graph, [node.id for node in graph.nodes.values() if node.side == "backward"])
    assert render(backward, "svg") == Rendered(b"<svg>frames</svg>\n", "dot")


def test_it_is_said_who_drew_how_many_views():
    views = [Rendered(b"", engine) for engine in ("tape", "dot", "pygraphviz", "dot", "tape")]
    assert drawn_by(views[1:2]) == "dot"
    assert drawn_by(views[1:]) == "dot (1 of 4 views: pygraphviz, 1 of 4 views: tape)"
    names = {"dot": "Graphviz", "pygraphviz": "Graphviz", "tape": "minipaddle itself"}
    assert drawn_by(views, names) == "Graphviz (2 of 5 views: minipaddle itself)"


def test_a_dot_that_is_no_program(program, graph):
    program("no such interpreter")
    assert render(graph, "svg").engine == "tape"


def test_pygraphviz_comes_second(program, graph, monkeypatch):
    program(CRASHES)
    monkeypatch.setitem(engines.ENGINES, "pygraphviz", lambda source, format, processes: b"<pygraphviz>")
    rendered = render(graph, "pdf")
    assert (rendered.data, rendered.engine) == (b"<pygraphviz>", "pygraphviz")


def test_pygraphviz_without_its_libraries_is_absent(program, graph, monkeypatch):
    monkeypatch.setattr(engines, "find_spec", lambda name: "found")
    monkeypatch.setattr(engines, "_DRAW_WITH_PYGRAPHVIZ", "import sys; sys.exit(69)")
    rendered = render(graph, "svg")
    assert (rendered.engine, rendered.remarks) == ("tape", (HINT,))


def test_the_engine_named_is_the_only_one(program, graph):
    program(DRAWS)
    assert render(graph, "svg", "tape").engine == "tape"
    assert render(graph, "svg", "tape").remarks == ()
    with pytest.raises(NoRenderer, match="pygraphviz is not installed"):
        render(graph, "svg", "pygraphviz")
    with pytest.raises(NoRenderer, match="png needs Graphviz"):
        render(graph, "png", "tape")


def test_facts(program):
    program(DRAWS)
    facts = {fact.name: fact for fact in engines.facts()}
    assert facts["dot"].works
    assert "dot" in facts["dot"].remark
    assert facts["pygraphviz"] == ("pygraphviz", False, "pygraphviz is not installed")


def test_dot_text_needs_no_engine(program, graph):
    assert render(graph, "dot").data.startswith(b"digraph minipaddle {")


def test_the_suffix_decides(graph, tmp_path):
    suffixes = ["svg", "PNG", "pdf", "dot", "mmd", "json", "html"]
    assert [format_of(f"a.{suffix}") for suffix in suffixes] == [suffix.lower() for suffix in suffixes]
    for bad in ("a.jpg", "a", "svg"):
        with pytest.raises(ValueError, match=r"there are: \.svg, \.png, \.pdf, \.dot"):
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


def test_a_long_tape_is_our_own_drawing(program, chain):
    """One step a row is all that it knows; Graphviz takes minutes for it."""
    program(DRAWS)
    assert render(chain(300), "svg", "auto", Style(layout="tape")).engine == "tape"
    assert render(chain(300), "png", "auto", Style(layout="tape")).engine == "dot"
    assert render(chain(300), "svg", "dot", Style(layout="tape")).engine == "dot"
    assert render(chain(3), "svg", "auto", Style(layout="tape")).engine == "dot"
