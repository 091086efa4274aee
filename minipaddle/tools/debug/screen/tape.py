"""The pane of the tape: all events as a tree, folded by pass, direction, layer, and body of the user's own code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile

from rich.text import Text
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.words.events import around, blamed, body_title, phase, title
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import glance, spaced
from minipaddle.tools.words.terminal import word

_MOST = 200
"""Most events beside each other: some screens; more are parted into ranges."""

Key = tuple[str, object, str]
"""The kind of a group, what identifies it, and its title."""


@dataclass(eq=False)
class Group:
    """Events that belong together."""

    title: str
    above: Group | None
    items: list[Group | int] = field(default_factory=list)
    """Groups in it, and positions of stops."""

    @property
    def way(self) -> list[Group]:
        """The groups from the outermost to this one."""
        return [*([] if self.above is None else self.above.way), self]


class Tape(Tree["Group | int"]):
    """Shows the events; the one under the cursor is selected, and what is around it open."""

    def __init__(self, session: Session) -> None:
        super().__init__("", id="tape")
        self.session = session
        self.border_title = say("tape")
        self.show_root = False
        self._shown = Trace()
        self._homes: list[Group] = []
        """For each stop, the group that it is in."""
        self._rows: dict[Group | int, TreeNode[Group | int]] = {}

    def show(self) -> None:
        """Open what is around the cursor's event, and select it."""
        if self._shown is not self.session.trace:
            self._shown = self.session.trace
            self._homes = grouped(self.session)
            self._begin()
        for group in self._homes[self.session.position].way[1:]:
            self._rows[group].expand()
            self._fill(self._rows[group])
        node = self._rows[self.session.position]
        self.call_after_refresh(self.move_cursor, node)

    def _begin(self) -> None:
        self.clear()
        self._rows = {}
        self.root.data = self._homes[0].way[0]
        self.root.expand()
        self._fill(self.root)

    def on_tree_node_expanded(self, opened: Tree.NodeExpanded[Group | int]) -> None:
        """Add what is in a group when it is opened."""
        self._fill(opened.node)

    def _fill(self, node: TreeNode[Group | int]) -> None:
        if not isinstance(node.data, Group) or node.children:
            return
        for item in node.data.items:
            if isinstance(item, Group):
                self._rows[item] = node.add(Text(item.title), item)
            else:
                self._rows[item] = node.add_leaf(Text(self._line(item)), item)

    def _line(self, position: int) -> str:
        event = self.session.trace.events[self.session.stops[position]]
        made = (spaced(value.name, glance(value)) for value in self.session.trace.known(event.outputs))
        return f"{position} {title(event)}  {', '.join(made)}"


def grouped(session: Session) -> list[Group]:
    """Return the group of each stop; they form a tree whose root is the first group's outermost."""
    root = Group("", None)
    homes, open_ = list[Group](), list[tuple[Key, Group]]()
    for position, index in enumerate(session.stops):
        keys = list(_keys(session.trace, session.trace.events[index]))
        same = len([*takewhile(lambda pair: pair[0] == pair[1][0], zip(keys, open_))])
        del open_[same:]
        for key in keys[same:]:
            above = open_[-1][1] if open_ else root
            group = Group(key[2], above)
            above.items.append(group)
            open_.append((key, group))
        home = _part(open_[-1][1])
        home.items.append(position)
        homes.append(home)
    return homes


def _part(group: Group) -> Group:
    """Return the group, or its last range of events if there are more than fit beside each other."""
    last = group.items[-1] if group.items else None
    if isinstance(last, Group) and last.title == "..." and len(last.items) < _MOST:
        return last
    if len(group.items) < _MOST:
        return group
    part = Group("...", group)
    group.items.append(part)
    return part


def _keys(trace: Trace, event: Event) -> Iterator[Key]:
    """Yield the groups of an event, the outermost first."""
    number = trace.pass_of(event)
    yield "pass", number, _title_of_pass(number)
    direction = "optimize" if event.kind == "update" else phase(event)
    if direction:  # an error has none
        yield "phase", (number, direction), word(direction)
    scope = blamed(trace, event).scope
    for call in reversed(list(scope.around())) if scope is not None else ():
        yield "layer", (call.number, direction), f"{call.path}  {call.kind}"
    for body in reversed(list(around(trace, event))):
        iteration = f" {body.iterations[-1] + 1}" if body.iterations else ""
        yield "body", body.index, f"{body_title(body)}{iteration}"


@lru_cache(maxsize=1024)
def _title_of_pass(number: int) -> str:
    return say("pass {number}", number=number) if number else say("before the first pass")
