"""The data of a page's script: nodes, edges and closable frames of each backward pass."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from minipaddle.tools.explain.symbols.page_program.recording import Fixed, Live
from minipaddle.tools.page.changeable_numbers import live_object, printing
from minipaddle.tools.page.closable import Closable, Run
from minipaddle.tools.page.facts import BUDGET, STATS, Tables, arrays_of, fact_of, shortened, take_out_common
from minipaddle.tools.page.path_data import PathData
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.draw.chips import FAR, LONGEST, NEAR, OFTEN
from minipaddle.tools.picture.draw.theme import A_DECADE, ALIKE, THINNEST, WIDEST, norms_of, role_of
from minipaddle.tools.picture.model.graph import Edge, Graph, names_of, rows_of
from minipaddle.tools.picture.model.labels import fitted_lines
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.record.events import Trace
from minipaddle.tools.words.events import place
from minipaddle.tools.words.language import spoken
from minipaddle.tools.words.numbers import clean

_CELLS = 40
"""Cells of a line in a box, as wide as a box may be; assets/live/push.js breaks lines there, too."""
_MOST_EXPLAINED = 2500
"""Most nodes with formulas and numbers: each takes about a millisecond."""


@dataclass(frozen=True)
class Sheet:
    """One backward pass on the page."""

    graph: Graph
    """The whole graph, with nothing closed."""
    options: Options
    start: Sequence[str]
    """The frames and repeats that are closed at first."""
    closable: Closable
    live: Live | Fixed | None
    """The pass as a program, or why it cannot be one; None: numbers are not changeable."""


def content_of(sheets: Sequence[Sheet], trace: Trace | None) -> dict[str, Any]:
    """Return the data of the page."""
    graphs, asked = [sheet.graph for sheet in sheets], sheets[0].options
    tables = Tables(arrays_of(graphs))
    paths = None if trace is None else PathData(graphs[0].trace)
    passes = [sheet_object(sheet, trace, tables, sheet is sheets[0], paths) for sheet in sheets]
    facts = [fact for one in passes for name in ("nodes", "closed") for fact in one[name].values()]
    common = take_out_common(facts)
    return {
        "schema": "minipaddle-page",
        "version": 6,
        "run": [] if trace is None else trace.pass_numbers,
        "layout": asked.layout,
        "budget": BUDGET,
        "fits": asked.depth is None and asked.fold == "auto" and not (asked.open or asked.focus),
        **({"printing": printing()} if any(isinstance(sheet.live, Live) for sheet in sheets) else {}),
        "stats": STATS,
        "common": common,
        "names": tables.in_letters(facts),
        "chips": {"far": FAR, "often": OFTEN, "near": NEAR, "longest": LONGEST},
        "widths": {"widest": WIDEST, "decade": A_DECADE, "thinnest": THINNEST, "alike": ALIKE},
        "sizes": tables.sizes,
        "values": tables.values,
        "texts": list(tables.texts),
        "paths": paths and {"values": paths.values, "parts": paths.parts},
        "passes": passes,
    }


def sheet_object(
    sheet: Sheet, trace: Trace | None, tables: Tables, listed: bool, paths: PathData | None
) -> dict[str, Any]:
    """Return the data of one pass; if `listed`, its sentences are already in the page."""
    graph, closed = sheet.graph, sheet.closable.nodes
    explained = graph.trace if trace is not None and len(graph.nodes) <= _MOST_EXPLAINED else None
    facts = {id_: fact_of(node, explained, tables, not listed) for id_, node in graph.nodes.items()}
    stand_ins = {id_: fact_of(node, explained, tables) for id_, node in closed.items()}
    for id_, row in rows_of(graph, sheet.options.layout).items():
        facts[id_]["row"] = row
    for id_, node in (graph.nodes | closed).items():
        fact = facts.get(id_) or stand_ins[id_]
        fact["lines"] = fitted_lines(node, sheet.options.values, _CELLS)
        fact["role"] = role_of(node)
    drawn, norms = list(graph.drawn_edges()), norms_of(graph)
    return {
        "number": graph.pass_number,
        "where": place(began) if trace is not None and (began := trace.began(graph.pass_number)) else "",
        "subtitle": spoken(graph.subtitle),
        "nodes": facts,
        "closed": stand_ins,
        "frames": dict(_frames(graph)),
        "repeats": {run.id: _repeat(run) for run in sheet.closable.runs.values()},
        "norms": {at: shortened(norms[one], 4) for at, (one, _) in enumerate(drawn) if one in norms},
        "bears": paths and paths.of(graph),
        "edges": [_edge(graph, edge) for _, edge in drawn],
        "start": list(sheet.start),
        "live": live_object(sheet.live, replace(graph, nodes=graph.nodes | closed), sheet.options, tables),
    }


def _frames(graph: Graph) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the id and data of each frame; the inside of an operator has that operator as its `owner`."""
    owners = {node.body: node.id for node in reversed(graph.nodes.values())}
    again, together = any(one.home for one in graph.clusters.values()), graph.together()
    for id_, frame in graph.clusters.items():
        others = sorted({*together[id_]} - {id_, frame.twin}) if again else []
        named = {"title": spoken(frame.title), "parent": frame.parent, "twin": frame.twin}
        known = {"owner": owners.get(id_), "earlier": frame.earlier, "iteration": frame.iteration}
        said = {**named, **known, "with": others}
        yield id_, {key: one for key, one in said.items() if one} | {"side": frame.side}


def _repeat(run: Run) -> dict[str, Any]:
    titles = {id_: spoken(title) for id_, title in run.titles.items()}
    return {"title": spoken(run.title), "groups": run.groups, "inner": sorted(run.inner), "titles": titles}


def _edge(graph: Graph, edge: Edge) -> list[Any]:
    """Return an edge: tail, head, kind, label, slot, names of its values.

    Labels and names that the script can derive are left out: a saved edge shows the names of its values, another edge
    has the name of its tail's result.
    """
    label = spoken(edge.label)
    names = [clean(value.name) for value in edge.values]
    made = [clean(value.name) for value in graph.nodes[edge.tail].results[:1]]
    told = label if edge.kind != "saved" or label != names_of(edge.values) else ""
    known = [edge.tail, edge.head, edge.kind, told, edge.slot, *([names] if names != made else [])]
    while not known[-1]:
        known.pop()
    return known


_MOST_PASSES = 6  # a choice that fits one row of buttons
_MOST_RULES = 3000
"""Gradient rules in all the passes of a page together: with more, the page would be large, and slow to make."""


def other_passes(trace: Trace, shown: int) -> list[Graph]:
    """Return the graphs of the passes nearest to the one `shown`, in their order."""
    rules = Counter(event.pass_number for event in trace.events if event.kind == "grad")
    room = _MOST_RULES - rules[shown]
    chosen: list[int] = []
    others = (number for number in trace.pass_numbers if number != shown)
    for number in sorted(others, key=lambda number: abs(number - shown)):
        room -= rules[number]
        if room < 0 or len(chosen) == _MOST_PASSES - 1:
            break
        chosen.append(number)
    graphs = (mirror(trace, number) for number in sorted(chosen))
    return [graph for graph in graphs if graph.nodes]
