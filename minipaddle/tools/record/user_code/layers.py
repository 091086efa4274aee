"""The calls of layers around an operator: read from the stack, so that layers have no code for it."""

import weakref
from collections.abc import Iterator, Sequence
from itertools import takewhile
from types import FrameType

from minipaddle.engine.errors import is_engine_file
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.nn.layer.container import LayerList, Sequential
from minipaddle.paddle.nn.layer.layers import Layer
from minipaddle.tools.record.kinds import Scope
from minipaddle.tools.record.user_code.names import attributes_in, outwards, tells
from minipaddle.tools.words.group_by import grouped

CALL = Layer.__call__.__code__
"""The code of a frame that calls a layer."""


def calls_around(frame: FrameType | None, end: FrameType | None = None) -> list[FrameType]:
    """Return the calls of layers that `frame` runs in, the outermost first, inside of `end`."""
    return [one for one in outwards(frame, end) if one.f_code is CALL][::-1]


Named = tuple[str, Tensor, bool]
"""A parameter of a layer: its present name, which is ``blocks.0.fc.weight`` within a network, else ``fc.weight``; the
parameter; and whether the name of the network may be put before it."""


class Scopes:
    """Numbers the calls, and finds the names of layers."""

    def __init__(self) -> None:
        # The open calls, outermost first. Holding the frames keeps Python from reusing their memory for the next call,
        # which could then not be distinguished.
        self._open: list[tuple[FrameType, Layer, Scope]] = []
        self._count = 0
        # By the outermost layer around a call, the names of layers there.
        self._paths = weakref.WeakKeyDictionary[Layer, weakref.WeakKeyDictionary[Layer, list[str]]]()
        self._seen: weakref.WeakSet[Layer] = weakref.WeakSet()

    def at(self, frames: Sequence[FrameType]) -> tuple[Scope | None, list[Named]]:
        """Return the innermost of these calls, and the parameters that now have a name."""
        same = len([*takewhile(lambda pair: pair[0][0] is pair[1], zip(self._open, frames))])
        del self._open[same:]
        names: list[Named] = []
        for frame in frames[same:]:
            layer = frame.f_locals["self"]
            scope = self._scope(layer, frame)
            self._open.append((frame, layer, scope))
            if layer not in self._seen:
                self._seen.add(layer)
                inside = scope.outer is not None
                own = layer.named_parameters(scope.path, include_sublayers=False)
                names += [(name, one, inside) for name, one in own]
                if not inside:  # of layers that are never called, too
                    below = layer.named_parameters()
                    names += [(name, one, True) for name, one in below if "." in name]
        return (self._open[-1][2] if self._open else None), names

    def close(self) -> None:
        """Release the frames."""
        self._open.clear()

    def _scope(self, layer: Layer, frame: FrameType) -> Scope:
        self._count += 1
        outer = self._open[-1][2] if self._open else None
        path, *places = (
            (_variable(layer, frame),) if outer is None else self._paths_of(self._open[0][1], layer)
        )
        name, kind = path or layer.full_name(), type(layer).__name__
        return Scope(self._count, name, kind, outer, layer.training, bool(path), tuple(places))

    def _paths_of(self, root: Layer, layer: Layer) -> Sequence[str]:
        """Return the dotted name of `layer` within `root`, as in ``state_dict``, and all if one list has it twice.

        The name is "" if it is not inside.
        """
        paths = self._paths.get(root)
        if paths is None or layer not in paths:
            named = {one: [path] for path, one in root.named_sublayers()}
            for path, one in root.named_sublayers(include_self=True):
                held = one._sub_layers.items() if isinstance(one, (Sequential, LayerList)) else ()
                for each, names in grouped((below, f"{path}.{name}") for name, below in held).items():
                    named[each] += [name.lstrip(".") for name in names] if len(names) > 1 else []
            paths = self._paths[root] = weakref.WeakKeyDictionary({layer: [""], **named})
        return paths[layer]


def _variable(layer: Layer, frame: FrameType) -> str:
    """Return the outermost caller's variable for an outermost layer; the layer's own name if there is none.

    A module is the outermost: around it are only those that run it, with their many names.
    """
    found = ""
    for outer in outwards(frame.f_back):
        if not is_engine_file(outer.f_code.co_filename):
            found = next(_names_of(layer, outer), found)
            if outer.f_code.co_name == "<module>":
                break
    return found or layer.full_name()


def _names_of(layer: Layer, frame: FrameType) -> Iterator[str]:
    """Yield the names of a layer in a function: variables, globals, and attributes of its ``self``."""
    for names in (frame.f_locals, frame.f_globals, attributes_in(frame, Layer)):
        yield from (name for name, value in list(names.items()) if value is layer and tells(name))
