"""The text in a node: as little as `values` asks for ("none", "stats", "full"); everything is in its tooltip."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import wrap

from rich.cells import cell_len

from minipaddle.tools.picture.choices import Detail
from minipaddle.tools.picture.model.graph import Graph, Node
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.fields import field, is_field
from minipaddle.tools.words.language import phrases, say, spoken
from minipaddle.tools.words.numbers import circled, clean, cut_list, look, number, numbers_text, shape_text

_MANY_RESULTS = 16
"""From so many results on, a node shows their count and range, not each."""
_MOST_RESULTS = 3
"""Results that a closed frame names in its box, or one more: a fourth takes no more room than a line on it."""
_MESSAGE = 56
"""Characters of a line of an error's message: about the width of the widest boxes."""
_MADE_BY_RUNNING = ("op", "pylayer", "layer", "rule", "grad", "pylayer_grad", "layer_grad", "hook", "update")


def label(node: Node, values: Detail = "stats", with_sign: bool = True) -> tuple[str, ...]:
    """Return the lines in the box. A sum's is small: its terms are at its arrows and in its tooltip."""
    if node.kind in ("accumulate", "chip"):
        return (_numbered(node),)
    if node.lines and node.count == 1:
        return (f"{node.lines[0]} {circled(node.chip) if node.chip else ''}".rstrip(), *node.lines[1:])
    where = node.where if node.kind == "hook" else ""  # many functions are called hook, or have no name
    sign = "⚠ " if with_sign and values != "none" and node.alarming else ""
    return tuple(filter(None, (sign + _numbered(node), where, *details(node, values))))


def fitted_lines(node: Node, values: Detail, cells: int) -> list[str]:
    """Return the lines in the box of a node, none of them longer than `cells`.

    A line that is too long is broken after its shape; a long name is cut in its middle, its shape and a sentence never.
    """
    lines, said = label(node, values), _state(node, values)
    if node.kind == "error":
        return [cut_list(lines[0], cells), *wrap(said, cells)]
    title = _fitted(lines[0], _MESSAGE if node.kind in ("layer", "layer_grad") else cells)
    return [*title, *(one for line in lines[1:] for one in (wrap if line == said else _fitted)(line, cells))]


def _fitted(line: str, cells: int) -> Iterator[str]:
    if cell_len(line) <= cells:
        yield line
        return
    result, bracket, numbers = line.partition("] ")
    name, space, shape = f"{result}{bracket.rstrip()}".rpartition(" [")
    behind = f"{space}{shape}" if shape.endswith("]") else ""
    name, room = name if behind else result, cells - cell_len(behind)
    one = cell_len(name) > room and ", " not in name  # its end tells which result it is
    end = cut_list(name[::-1], room // 2 + 1)[-2::-1] if one else ""
    yield cut_list(name, room - cell_len(end)) + end + behind
    if bracket:
        yield cut_list(numbers, cells)


def _numbered(node: Node) -> str:
    """Return the heading, with the number that a node shares with its chips."""
    heading = spoken(node.heading)
    return f"{heading} {circled(node.chip)}" if node.chip else heading


def tooltip(node: Node) -> str:
    """Return everything known, as one text."""
    return "\n".join(filter(None, (spoken(node.heading), *details(node, "full"), node.where)))


def details(node: Node, values: Detail = "stats") -> tuple[str, ...]:
    """Return the lines below the title: results and shapes, some of the numbers, the state of the gradient."""
    if node.kind == "error":
        return tuple(wrap(spoken(node.state), _MESSAGE))
    if node.count > 1 or len(node.results) > _MANY_RESULTS:
        lines = []
        for shape, names, of_all in node.made_in_rounds:
            lines.append(f"{spoken(names)} {shape}".strip() if node.kind in _MADE_BY_RUNNING else shape)
            lines.append(_range(of_all) if values != "none" else "")
    elif node.kind in _MADE_BY_RUNNING:
        closed = node.kind in ("layer", "layer_grad") and values != "full"
        many = closed and len(node.results) > _MOST_RESULTS + 1
        named = node.results[:_MOST_RESULTS] if many else node.results
        lines = [line for value in named for line in _result_lines(value, values)]
        more = len(node.results) - len(named)
        lines += [say("... and {count} more", count=more)] if more else []
    else:
        lines = [line for value in node.results[:1] for line in _own_lines(node, value, values)]
    return tuple(filter(None, (*lines, _state(node, values))))


def _range(of_all: Sequence[Value]) -> str:
    """Return the smallest and the largest norm of all rounds, in their order; NaN and Inf are always mentioned."""
    if any(map(is_field, of_all)):
        return field("range", *(one.id for one in of_all))
    norms = [value.stats.norm for value in of_all]
    bad = sum(bool(value.stats.nans or value.stats.infs) for value in of_all)
    if bad:
        return say("NaN or Inf in {count} of {all}", count=bad, all=len(norms))
    if len(norms) < 2 or any(norm != norm for norm in norms) or of_all[0].dtype == "bool":
        return ""
    ends = sorted((min(norms), max(norms)), key=norms.index)  # as they come in the run, and in the strips
    low, high = map(number, ends)
    return say("norm {norm}", norm=low) if low == high else say("norm {low} to {high}", low=low, high=high)


def _state(node: Node, values: Detail) -> str:
    """Return the state of the gradient; if it was added to another one, also that one's numbers."""
    before = "" if node.before is None or values == "none" else look(node.before)
    return spoken(phrases("{before}: {after}", (node.state, before)))


def _result_lines(value: Value, values: Detail) -> list[str]:
    """Return the name of a result, its shape, and its numbers on the same line, or on lines of their own if many."""
    more = value.dtype if values == "full" else spoken(look(value)) if values == "stats" else ""
    line = " ".join(filter(None, (clean(value.name), shape_text(value), more)))
    return [line, *_all_lines(value)] if values == "full" else [line]


def _own_lines(node: Node, value: Value, values: Detail) -> list[str]:
    """Return the lines of a node whose title is already its name."""
    shape = shape_text(value)
    if node.is_leaf:
        shape = " ".join(filter(None, (shape, value.dtype)))
    maker = node.made_by and say("made by {maker}", maker=node.made_by)
    if values == "full":
        return [shape, maker, *_all_lines(value)]
    return [shape, maker, spoken(look(value)) if values == "stats" else ""]


def _all_lines(value: Value) -> list[str]:
    """Return all numbers if they are few, else the statistics."""
    small = numbers_text(value)
    if is_field(value):
        return [field(how, value.id) for how in (("all",) if small else ("bad", "ends", "sizes"))]
    if small:
        return [small]
    stats = value.stats
    if not stats.size or stats.norm != stats.norm:  # nothing finite, or nothing known
        return [spoken(look(value))]
    return [
        spoken(look(value)) if stats.bad else "",
        f"min {number(stats.min)}, mean {number(stats.mean)}, max {number(stats.max)}",
        f"rms {number(stats.rms)}, norm {number(stats.norm)}"
        + (say(", {count} of {size} zero", count=stats.zeros, size=stats.size) if stats.zeros else ""),
    ]


def without_looks(graph: Graph) -> Graph:
    """Return `graph` without numbers at its arrows: gradient arrows have only a shape."""
    edges = (
        edge if edge.kind != "gradient" or edge.shape_said else edge._replace(label="", share=None)
        for edge in graph.edges
    )
    return replace(graph, edges=dict.fromkeys(edges))
