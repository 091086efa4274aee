"""Where the page puts things, whatever is open or closed: measured in a browser, over scripts of many kinds."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings

from minipaddle.tools.page.closable import closable_of, state_of
from minipaddle.tools.page.content import Sheet, content_of
from minipaddle.tools.picture.draw.chips import with_chips
from minipaddle.tools.picture.model.collapse import close
from minipaddle.tools.picture.model.focus import sums_last
from minipaddle.tools.picture.model.fold import fold
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.options import Options, shaped
from minipaddle.tools.picture.picture import Picture
from tests.support.any_script import recorded_script, scripts
from tests.support.page import NET, RESIDUAL, Page, data_of, trace_of
from tests.support.programs import recipes, trained
from tests.support.programs import recorded as run_recorded
from tests.support.random_training import different, trainings

RECURRENT = """
paddle.seed(0)
w = paddle.to_tensor([[0.5, 0.1], [0.2, 0.3]], stop_gradient=False)
h = paddle.ones([1, 2])
for t in range(6):
    h = paddle.tanh(h @ w + h)
h.sum().backward()
"""
ATTENTION = """
paddle.seed(2)
layer = paddle.nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)
layer(paddle.randn([1, 3, 4])).sum().backward()
"""
TWICE = """
x = paddle.to_tensor([0.5, -1.0], stop_gradient=False)
(dx,) = paddle.grad((x * x * x).sum(), x, create_graph=True)
(dx * dx).sum().backward()
"""
SHARED = """
w = paddle.to_tensor([2.0], stop_gradient=False)
w.register_hook(lambda g: g * 2)
a = w * w
b = a.detach() * w
c = paddle.add_n([a, b, w, w * 3.0])
(c / w).backward()
"""
RECURRENT_TWICE = """
w = paddle.to_tensor([[0.5, 0.1], [0.2, 0.3]], stop_gradient=False)
h = paddle.ones([1, 2])
for t in range(6):
    h = paddle.tanh(h @ w)
(slope,) = paddle.grad(h.sum(), w, create_graph=True)
(slope * slope).sum().backward()
"""
SCRIPTS = {
    "net": NET,
    "recurrent_twice": RECURRENT_TWICE,
    "recurrent": RECURRENT,
    "residual": RESIDUAL,
    "attention": ATTENTION,
    "twice": TWICE,
    "shared": SHARED,
}

EARLIER = ("cube_thrice", "wgan_gp", "pylayer_twice", "maml", "static_twice")
"""Passes that go through earlier ones, each of which has a frame."""
OTHERS = [
    "cnn",
    "cond",
    "deep_frames",
    "embedding",
    "gan",
    "hooks",
    "in_place",
    "lstm",
    "nested_pylayer",
    "resnet",
    "several_outputs",
    "while_loop",
    "wide",
]
SCRIPTS |= {
    name: (Path(__file__).parent.parent / "layout" / f"{name}.py").read_text(encoding="utf-8")
    for name in (*EARLIER, *OTHERS)
}

COURSE = ("tutorials", "docs/images", "docs/gallery", "docs/gallery/textbook")
"""The lessons and the figures of the documentation."""

RULES = (Path(__file__).parents[2] / "support" / "lanes.js").read_text(encoding="utf-8")
FAULTS = """
const faults = brokenRules(drawing.layout);
const { boxes, frames, inside } = drawing.layout;
for (const frame of frames)
  for (const box of boxes.values()) {
    const within = inside.get(frame.id).includes(box);
    const covered = box.x >= frame.x && box.x + box.width <= frame.x + frame.width &&
      box.y >= frame.y && box.y + box.height <= frame.y + frame.height;
    if (within !== covered && (within || meets(box, frame))) faults.push(`${box.id} and the frame ${frame.id}`);
  }
for (const id of sight.order) {
  const twin = sight.twinOf(id);
  const pair = twin && !sight.isOpen(id) && // it ends its inside
    sight.nodes.get(id).side === "backward" && sight.nodes.get(twin).side === "forward";
  if (pair && ["grad", "pylayer_grad", "layer_grad", "store"].includes(sight.nodes.get(id).kind) &&
      boxes.get(id).row !== boxes.get(twin).row) faults.push(`${id} is not on the row of ${twin}`);
}
for (const node of nodes()) {
  const { width, height } = node.querySelector("rect").getBBox();
  const texts = [...node.querySelectorAll("text")];
  const lines = texts.map((text) => [text.getComputedTextLength(), +text.getAttribute("y")]);
  if (lines.some(([wide, y]) => wide > width || y < 8 || y > height - 2)) faults.push(`${node.id}: its text is cut`);
}
return faults;
"""


AFTER_EACH = f"""
{RULES}
const faults = () => {{ stage.window = {{ x: 0, y: 0, unit: 1 }}; {FAULTS} }}; // small letters are measured coarsely
return arguments[0].map(([verb, id]) => {{ if (verb) ({{ showView, toggle }})[verb](id); return faults(); }});
"""
"""In one call, so that nothing is painted in between."""


@pytest.fixture(params=SCRIPTS, scope="module")
def pictured(request, chromium, tmp_path_factory):
    """The graph of a script, and its page, which is open for all tests of it, in some view."""
    folder = tmp_path_factory.mktemp("layout")
    (folder / "script.py").write_text(SCRIPTS[request.param], encoding="utf-8")
    trace = trace_of(folder / "script.py", RuntimeError)  # in_place.py ends with one
    graph = mirror(trace)
    Picture(graph, trace).save(folder / "page.html")
    return graph, Page(chromium, folder / "page.html").open()


def test_nothing_lies_on_anything_whatever_is_closed(pictured):
    page = pictured[1].open()
    drawn = random.Random(7)
    views, closable = page(
        "[viewsOf(data).map((one) => one.key), [...Object.keys(data.frames), ...Object.keys(data.repeats)]]"
    )
    steps = [("", ""), *(("showView", view) for view in [*views, "all"])]
    steps += [("toggle", drawn.choice(closable)) for _ in range(6 if closable else 0)]
    found = page.driver.execute_script(AFTER_EACH, steps)
    assert [(steps[: at + 1], faults) for at, faults in enumerate(found) if faults] == []
    assert page.complaints == []


RANDOM = f"""
{RULES}
const book = JSON.parse(arguments[0]), closings = arguments[1]; // a driver would sort its keys
return book.passes.flatMap((pass) => {{
  prepare(pass, book);
  const closable = [...Object.keys(pass.frames), ...Object.keys(pass.repeats)];
  const isWay = ({{ side, twin, with: others }}) => side === "backward" && twin && !others;
  const ways = Object.keys(pass.frames).filter((id) => isWay(pass.frames[id]));
  return closings.flatMap((part) => {{
    let closed = new Set({{ start: pass.start, backward: ways }}[part] ?? []);
    for (const id of part in {{ start: 1, backward: 1 }} ? [] : closable.filter((id, place) => place % 4 < part))
      if (!closed.has(id)) closed = toggled({{ pass, closed }}, id); // with its twin
    const sight = new Sight(pass, closed);
    return [0, 30].flatMap((letters) => {{ // in a line: rows are near to each other
      pass.letters = letters;
      return brokenRules(new Layout(sight, book.layout, (id) => sight.nodes.get(id).lines));
    }});
  }});
}});
"""


@pytest.mark.parametrize("kind", ["script", "training", "program"])
def test_every_arrow_of_any_program_has_its_own_lane(page_of, kind):
    """A hundred programs that are drawn by lot, each with nothing, a part and all of it closed."""
    page = page_of(NET).open()
    programs = {
        "script": scripts.map(recorded_script),
        "training": trainings().map(lambda one: one.recorded(different(one.parameters))[0]),
        "program": recipes().map(lambda recipe: run_recorded(trained(recipe))),
    }

    @settings(max_examples=34, deadline=None)
    @given(programs[kind])
    def holds(trace):
        graph = mirror(trace)
        if graph.nodes:
            sheet = Sheet(graph, Options(), [], closable_of(graph), None)
            book = content_of([sheet], None)
            assert page.driver.execute_script(RANDOM, json.dumps(book), [0, 1, 4]) == []

    holds()


def seen(page, view, toggled=()):
    """The nodes and arrows of a view in which frames are closed, one after the other."""
    order, arrows = page(
        "(showView(arguments[0]), arguments[1].forEach((id) => toggle(id)),"
        " [sight.order, sight.edges.map(({tail, head, kind}) => [tail, head, kind])])",
        view,
        list(toggled),
    )
    return order, {tuple(arrow) for arrow in arrows}


def base(id_):
    return id_.partition("~")[0]


@pytest.mark.parametrize("folder", COURSE)
def test_every_arrow_of_lessons_and_figures_has_its_own_lane(page_of, tmp_path, monkeypatch, folder):
    """As it opens, with the way back closed, with all open, a quarter closed, and all closed."""
    page = page_of(NET).open()
    monkeypatch.chdir(tmp_path)
    found = {}
    for file in sorted((Path(__file__).parents[3] / folder).glob("*.py")):
        trace = trace_of(file, Exception, SystemExit)
        graph = mirror(trace) if trace.pass_numbers else None
        if graph and graph.nodes and len(graph.nodes) <= 400:  # a browser measures every word of it
            closable, opened = closable_of(graph), shaped(Picture(graph, trace).whole, Options())
            sheet = Sheet(graph, Options(), state_of(graph, closable, opened), closable, None)
            book = content_of([sheet], None)
            found[file.name] = page.driver.execute_script(
                RANDOM, json.dumps(book), ["start", "backward", 0, 1, 4]
            )
    assert len(found) > 3
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_what_is_closed_is_what_depth_and_fold_would_draw(pictured):
    """The page's script and Python agree on nodes, their order and arrows."""
    graph, page = pictured
    drawn = random.Random(3)
    frames = [frame for frame in graph.clusters.values() if frame.side == "forward" or not frame.twin]
    for _ in range(4 if frames else 0):
        chosen = {frame.id for frame in frames if drawn.random() < 0.4}
        both: set[str] = set()
        toggled = []
        for id_ in sorted(chosen):
            if id_ not in both:
                toggled.append(id_)
                both |= {*graph.together()[id_], graph.clusters[id_].twin}
        expected = sums_last(close(graph, lambda frame, both=both: frame.id in both))
        order, arrows = seen(page, "all", toggled)
        others = {id_ for id_, node in expected.nodes.items() if node.side != "update"}
        assert [id_ for id_ in order if "~u" not in id_] == [id_ for id_ in expected.nodes if id_ in order]
        assert len(order) == len(expected.nodes)
        there = {(e.tail, e.head, e.kind) for _, e in expected.drawn_edges()}
        assert {one for one in arrows if {*one[:2]} <= others} == {
            one for one in there if {*one[:2]} <= others
        }
    if page("Object.keys(data.repeats).length"):
        expected = sums_last(fold(graph))
        order, arrows = seen(page, "folded")
        assert [base(id_) for id_ in order] == list(expected.nodes)
        between = {(base(tail), base(head), kind) for tail, head, kind in arrows if tail != head}
        assert between == {(e.tail, e.head, e.kind) for _, e in expected.drawn_edges()}


def test_rows_never_change_places(pictured):
    """An operator or rule that stands above another one stands above it in every view."""
    _, page = pictured
    ran = "sight.order.filter((id) => !/data|param|store|update|accum/.test(sight.nodes.get(id).kind))"
    rows_now = f"Object.fromEntries({ran}.map((id) => [id, drawing.layout.boxes.get(id).row]))"
    rows, *others = page(
        f"['all', ...viewsOf(data).map((one) => one.key)].map((view) => (showView(view), {rows_now}))"
    )
    for now in others:
        both = rows.keys() & now.keys()
        assert all(now[one] <= now[other] for one in both for other in both if rows[one] < rows[other])


def test_every_text_can_be_read_at_its_size(pictured):
    _, page = pictured
    sizes = page(
        "[...svg().querySelectorAll('text')].map((text) => parseFloat(getComputedStyle(text).fontSize))"
    )
    assert min(sizes) >= 11


MLP = """
paddle.seed(0)
nn = paddle.nn
net = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10))
adam = paddle.optimizer.Adam(parameters=net.parameters())
x, y = paddle.randn([32, 784]), paddle.randint(0, 10, [32])
for step in range(6):
    loss = paddle.nn.functional.cross_entropy(net(x), y)
    loss.backward()
    adam.step()
    adam.clear_grad()
"""


def test_a_page_is_small(write_script):
    """That of an MLP with six backward passes, and all its passes in it."""
    trace = trace_of(write_script(MLP))
    text = Picture(mirror(trace), trace).html()
    assert len(data_of(text)["passes"]) == 6
    assert len(text.encode()) < 380_000


FAR_AWAY = """
w = paddle.to_tensor([0.5], stop_gradient=False)
first = h = w * 2.0
for _ in range(12):
    h = paddle.tanh(h * w)
(h + first).sum().backward()
"""


@pytest.mark.parametrize("source", [FAR_AWAY, NET])
def test_chips_are_those_of_the_other_drawings(page_of, write_script, source):
    """One rule, whose numbers are Python's; on a page a leaf stands nearer to what uses it first."""
    graph = with_chips(mirror(trace_of(write_script(source))), "mirror")
    chips = {id_: node.stands_for.id for id_, node in graph.nodes.items() if node.kind == "chip"}
    page = page_of(source).open("#v=all")
    leaves = page("drawing.layout.beside.size")
    found = page("Object.fromEntries([...drawing.layout.chips].map(([id, chip]) => [id, chip.of]))")
    assert found.items() <= chips.items()
    assert len(chips) - len(found) <= leaves
    assert bool(chips) is (source is FAR_AWAY)
