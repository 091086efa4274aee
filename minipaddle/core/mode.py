"""The mode: what "apply an operator" means now.

One object in one context variable answers that question: eager execution (:class:`Eager`), building a Program,
reading a gradient rule over plain arrays (:class:`Arrays`), or a watcher around any of them
(:mod:`minipaddle.core.watching`). Context variables are per thread and per task, so two threads never see each
other's mode.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

import numpy as np

from minipaddle.core import memory
from minipaddle.core.errors import failure, locate
from minipaddle.core.meta import Array, Attrs, meta_of
from minipaddle.core.node import AccumulateGrad, AnyNode, CustomCall, Edge, Kept, Node, Port, Side, Step

if TYPE_CHECKING:
    from minipaddle.core.operator import Operator


ndarray = np.ndarray
new = object.__new__


BodyKind = Literal["forward", "backward", "hook"]
PassKind = Literal["store", "pick"]
"""What becomes of the gradients of a backward pass: ``backward`` stores them in ``.grad``, ``grad`` returns them."""
At = tuple[AnyNode, int | None]
"""Where a body of the user's code stands: a node and the number of its output; None: all of its outputs."""

TOLD: list[object] = []
"""Who watches now. What is called so often that looking for the mode would cost time looks first if this is empty."""


class Named(Protocol):
    """What has a name to show."""

    @property
    def name(self) -> str:
        """The name."""


class Wish(Protocol):
    """A parameter that somebody wants (:class:`minipaddle.nn.parameter.create.Wish`)."""

    def drawn(self) -> Any:
        """Make it now, with its first value."""


class ProgramRun(Protocol):
    """One run of a Program (:class:`minipaddle.static.executor.run.Run`)."""

    def quick(self) -> Any:
        """Run it at once."""

    def steps(self) -> Generator[Any, None, Any]:
        """Run it step by step; return the same."""


class Saving(Protocol):
    """What decides how values are kept for backward (``paddle.autograd.saved_tensors_hooks``)."""

    def pack(self, tensor: Any) -> Any:
        """Pack one tensor."""

    def pack_kept(self, record: Node, kept: tuple[Any, ...]) -> Kept:
        """Pack what a record keeps."""


class Tell(Protocol):
    """What a mode that is watched is told of, where the engine does something that is no verb of a mode.

    Tensors are told by the objects themselves: two that hold equal numbers, or one array, are two.
    """

    def began(self, kind: PassKind, seeds: Sequence[tuple[Edge, Any]], given: Sequence[Any]) -> None:
        """A backward pass begins with `seeds`; `given` are the user's Tensors that they were copied from, or None."""

    def ended(self, error: BaseException | None) -> None:
        """It is over, with all that was done with its gradients."""

    def add(self, edge: Edge, so_far: Any, new: Any) -> Any:
        """Return the sum of two gradients that arrive over `edge`."""

    def stored(self, leaf: AccumulateGrad, tensor: Any, before: Any, after: Any) -> None:
        """The ``.grad`` of a tensor holds the Tensor `after`: the gradient of `leaf`, added to `before` if not None."""

    def picked(self, edge: Edge, tensor: Any) -> None:
        """``paddle.grad`` returns `tensor`: the gradient that passed `edge`."""

    def retained(self, edge: Edge, tensor: Any) -> None:
        """The ``.grad`` of an interior tensor holds `tensor`: the gradient that passed `edge`."""

    def kept(self, record: Node, side: Side, place: int, tensor: Any) -> None:
        """`tensor` was made anew of what `record` keeps of one of its inputs or outputs."""

    def shares(self, new: Any, old: Any) -> None:
        """The Tensor `new` was made over the memory of `old`, and holds what that holds."""

    def read(self, tensor: Any, how: str) -> None:
        """The numbers of a Tensor go to Python."""


class Mode(ABC):
    """What it means to apply an operator; the base of all modes."""

    __slots__ = ()

    dynamic: bool = True
    """Whether operators run at once, and are not appended to a Program."""

    grad: bool
    """Whether calls are recorded for differentiation."""

    saving: Saving | None
    """The user's ``saved_tensors_hooks``, if any are active."""

    @property
    def tell(self) -> Tell | None:
        """Who is told what happens; None: nobody watches."""
        return None

    @abstractmethod
    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply `op` to `inputs` (list slots flattened) and return its output, or a tuple of them."""

    @abstractmethod
    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply `op`, store the result in the first input and return that."""

    @abstractmethod
    def apply_update(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> None:
        """Apply an optimizer's operator, which writes into those of its inputs that ``op.updates`` lists."""

    def apply_over(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply `op` where nobody needs the first input any more: a Program writes the result over it."""
        return self.apply(op, inputs, attrs)

    def new_parameter(self, wish: Wish) -> Any:
        """Make the parameter that `wish` describes."""
        return wish.drawn()

    def apply_custom(self, call: CustomCall) -> Any:
        """Carry out a call whose operator is minted for it, such as ``PyLayer.apply``."""
        return call.carry_out(self)

    @abstractmethod
    def with_grad(self, flag: bool) -> Mode:
        """Return this mode with recording switched on or off."""

    @abstractmethod
    def with_saving(self, hooks: Saving) -> Mode:
        """Return this mode with kept values going through `hooks`."""

    def replaced(self, mode: Mode) -> Mode:
        """Return what to switch to when `mode` takes the place of this one: whoever stands around stays."""
        return mode

    def run_body(
        self,
        kind: BodyKind,
        owner: Named,
        grad: bool,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        at: At | None = None,
        settle: Callable[[Any], Any] | None = None,
    ) -> Any:
        """Run a stretch of the user's own code, ``function(*args)``, with recording set to `grad`.

        The mode is restored whatever it does. `kind` and `owner` (the PyLayer's call, or the hook) say what it is, and
        `at` where in the graph, for those who watch.

        Returns:
            what `settle`, called in this mode again, makes of its answer; without it, the answer.
        """
        token = current.set(self.with_grad(grad))
        try:
            answer = function(*args)
        finally:
            current.reset(token)
        return answer if settle is None else settle(answer)

    def reading(self) -> Mode:
        """Return the mode in which gradient rules are read over arrays, with this one around it."""
        return Arrays(self)

    def drain(self, steps: Iterator[Step]) -> Iterable[Step]:
        """Return the steps of a reverse walk for the caller to take."""
        return steps

    def drain_program(self, steps: Generator[Any, None, Any]) -> Generator[Any, None, Any]:
        """Return the steps of a run of a Program for the caller to take."""
        return steps

    def run_program(self, run: ProgramRun) -> Any:
        """Run a Program: at once, or step by step; both return the same."""
        return run.quick()

    def made_program(self, program: Any, name: str = "") -> None:
        """Hear of a new Program, and of the name that it goes by, if it has one."""
        return

    def ran_traced(self, program: Any) -> None:
        """Hear that a Program runs which ``paddle.jit`` made."""
        return


class Around(Mode):
    """A mode around `inner`, which does all that the subclass does not do itself."""

    __slots__ = ("dynamic", "grad", "inner", "saving")

    def __init__(self, inner: Mode) -> None:
        self.inner = inner
        self.dynamic = inner.dynamic
        self.grad = inner.grad
        self.saving = inner.saving

    @property
    def tell(self) -> Tell | None:
        """Whom the inner mode tells."""
        return self.inner.tell

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Leave it to the inner mode."""
        return self.inner.apply(op, inputs, attrs)

    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Leave it to the inner mode."""
        return self.inner.apply_inplace(op, inputs, attrs)

    def apply_update(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> None:
        """Leave it to the inner mode."""
        self.inner.apply_update(op, inputs, attrs)

    def new_parameter(self, wish: Wish) -> Any:
        """Leave it to the inner mode."""
        return self.inner.new_parameter(wish)

    def run_program(self, run: ProgramRun) -> Any:
        """Leave it to the inner mode."""
        return self.inner.run_program(run)

    def drain(self, steps: Iterator[Step]) -> Iterable[Step]:
        """Leave it to the inner mode."""
        return self.inner.drain(steps)

    def drain_program(self, steps: Generator[Any, None, Any]) -> Generator[Any, None, Any]:
        """Leave it to the inner mode."""
        return self.inner.drain_program(steps)

    def made_program(self, program: Any, name: str = "") -> None:
        """Tell the inner mode."""
        self.inner.made_program(program, name)

    def ran_traced(self, program: Any) -> None:
        """Tell the inner mode."""
        self.inner.ran_traced(program)

    def with_grad(self, flag: bool) -> Mode:
        """Leave this mode for the inner one, with recording switched."""
        return self.inner.with_grad(flag)

    def with_saving(self, hooks: Saving) -> Mode:
        """Leave this mode for the inner one, with these hooks."""
        return self.inner.with_saving(hooks)


class Arrays(Around):
    """Operators run their kernels on plain arrays: how a gradient rule is read for its numbers.

    The user's own code (a PyLayer's backward, hooks) runs in the mode around the walk, which is the inner one here.
    """

    __slots__ = ()

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Run the kernel."""
        return op.run(*inputs, **attrs)

    def run_body(
        self,
        kind: BodyKind,
        owner: Named,
        grad: bool,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        at: At | None = None,
        settle: Callable[[Any], Any] | None = None,
    ) -> Any:
        """Run the user's code in the inner mode."""
        return self.inner.run_body(kind, owner, grad, function, args, at, settle)


class Eager(Mode):
    """Run the kernel now; record the call if recording is on and an input wants a gradient."""

    __slots__ = ("_other", "_reading", "grad", "saving")

    tensor: ClassVar[Any]
    """The class of results, handed in by :mod:`minipaddle.autograd.tensor`, which lives above this room."""

    def __init__(self, grad: bool, saving: Saving | None = None) -> None:
        self.grad = grad
        self.saving = saving
        self._other: Eager | None = None
        self._reading = Arrays(self)

    def with_grad(self, flag: bool) -> Eager:
        """Return this mode or its twin with recording switched over."""
        if flag == self.grad:
            return self
        if self._other is None:
            self._other = Eager(flag, self.saving)
            self._other._other = self
        return self._other

    def reading(self) -> Arrays:
        """Return the one mode for reading rules inside this one."""
        return self._reading

    def with_saving(self, hooks: Saving) -> Eager:
        """Return an eager mode with these hooks."""
        return Eager(self.grad, hooks)

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Run the kernel and return Tensors."""
        # One and two inputs are written out, and the result is made without a constructor: a comprehension or a call
        # through C costs half as much as a small NumPy call.
        arity = op.arity
        try:
            if arity == 1:
                (x,) = inputs
                a = x.array
                out = op.run(a, **attrs) if attrs else op.run(a)
                arrays: tuple[Any, ...] = (a,)
                edges: tuple[Any, ...] = (x.edge,)
            elif arity == 2:
                x, y = inputs
                a, b = x.array, y.array
                out = op.run(a, b, **attrs) if attrs else op.run(a, b)
                arrays = (a, b)
                edges = (x.edge, y.edge)
            else:
                arrays, edges = _arrays_and_edges(op, inputs)
                out = op.run(*arrays, **attrs)
        except Exception as error:
            raise explain(error, op, inputs, attrs) from None
        if op.multiple:
            return self._several(op, attrs, arrays, edges, out)
        result = new(self.tensor)
        result.array = out = out if type(out) is ndarray else np.asarray(out)
        result.edge = None
        if self.grad:
            missing = edges.count(None)
            if missing != len(edges):
                plan = op.plan(edges) if missing else op.whole or op.plan(edges)
                if plan is not None:
                    kept = plan.keep(arrays, out, attrs)
                    result.edge = record = Node(op, attrs, edges, plan, kept)
                    if self.saving is not None:
                        record.kept = self.saving.pack_kept(record, kept)
        return result

    def _record(
        self, op: Operator, attrs: Attrs, arrays: tuple[Any, ...], edges: tuple[Any, ...], out: Any
    ) -> Node | None:
        """Record a call as :meth:`apply` does; None if no wanted input has a rule."""
        plan = op.plan(edges)
        if plan is None:
            return None
        kept = plan.keep(arrays, out, attrs)
        record = Node(op, attrs, edges, plan, kept)
        if self.saving is not None:
            record.kept = self.saving.pack_kept(record, kept)
        return record

    def _several(
        self, op: Operator, attrs: Attrs, arrays: tuple[Any, ...], edges: tuple[Any, ...], outs: Any
    ) -> Any:
        """Wrap the outputs of an operator that has several."""
        results = tuple([self.tensor(out) for out in outs])
        if self.grad and edges.count(None) != len(edges):
            outs = [result.array for result in results]
            record = self._record(op, attrs, arrays, edges, outs)
            if record is not None:
                record.metas = [meta_of(out) for out in outs]
                for index in range(len(outs)) if op.list_output else op.differentiable:
                    results[index].edge = Port(record, index)
        return results

    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Run the kernel and write its result into the first input, which gets a new history and a new version.

        Raises:
            ValueError: if the target is a leaf that wants a gradient, or the result does not fit into it.
        """
        arrays, edges = _arrays_and_edges(op, inputs)
        target = inputs[0]
        if self.grad and type(target.edge) is AccumulateGrad:
            raise locate(
                failure(
                    ValueError,
                    f"Leaf Var ({target.name}) that doesn't stop gradient can't use inplace strategy.",
                    "write to it under paddle.no_grad(), or use the operator without the trailing underscore",
                ),
                op.type,
            )
        recorded = self.grad and edges.count(None) != len(edges)
        if recorded and not op.view:  # what the rules keep of the target is its content before the write
            arrays = (arrays[0].copy(), *arrays[1:])
        try:
            out = np.asarray(op.run(*arrays, **attrs))
            self._store(op, target, out)
        except Exception as error:
            raise explain(error, op, inputs, attrs) from None
        if recorded:
            target.edge = self._record(op, attrs, arrays, edges, target.array)
        return target

    def apply_update(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> None:
        """Let the kernel write new content: no history, no new version, as after ``set_value``."""
        for position in op.updates:
            own(inputs[position])
        arrays = tuple([value.array for value in inputs])
        try:
            op.run(*arrays, **attrs)
        except Exception as error:
            raise explain(error, op, inputs, attrs) from None

    def _store(self, op: Operator, target: Any, out: Array) -> None:
        if op.view:
            target.array = out if np.shares_memory(out, target.array) else out.reshape(out.shape)
            memory.note_write(target.array)
            return
        if out.shape != target.array.shape:
            raise failure(
                ValueError,
                f"The shape of broadcast output {list(out.shape)} is different from that of inplace tensor "
                f"{list(target.array.shape)}.",
                "an inplace operator may broadcast its operand into the target, never enlarge the target",
            )
        own(target)
        np.copyto(target.array, out, casting="unsafe")
        memory.note_write(target.array)


def own(tensor: Any) -> None:
    """Give `tensor` memory that it may write to. Borrowed memory (a gradient, a broadcast) is marked read-only."""
    if not tensor.array.flags.writeable:
        fresh = tensor.array.copy()
        memory.take_over(fresh, tensor.array)
        tensor.array = fresh


def _arrays_and_edges(op: Operator, inputs: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Take arrays and edges out of inputs of which some may be None; refuse what is not a Tensor."""
    for position, value in enumerate(inputs):
        if value is None and position < len(op.input_names) and op.input_names[position] in op.optional:
            continue
        if not isinstance(value, Eager.tensor):
            name = op.input_names[min(position, len(op.input_names) - 1)]
            raise locate(
                failure(
                    ValueError,
                    f"{op.name}(): argument '{name}' (position {position}) must be Tensor, but got "
                    f"{type(value).__name__}.",
                    "wrap it with paddle.to_tensor(...)",
                ),
                op.type,
            )
    return (
        tuple([None if value is None else value.array for value in inputs]),
        tuple([None if value is None else value.edge for value in inputs]),
    )


def explain(error: Exception, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Exception:
    """Turn a failure into the error that the operator's shape rule words, with the user's line.

    Inputs and shapes are checked only now: on good input the kernel itself is the check.
    """
    try:
        arrays, _ = _arrays_and_edges(op, inputs)
        op.infer_metas([None if array is None else meta_of(array) for array in arrays], attrs)
    except Exception as worded:
        error = worded.with_traceback(None)  # which would hold this frame, and so the inputs, in a cycle
    return locate(error, op.type)


class within:
    """Make `mode` the current one for a ``with`` block."""

    __slots__ = ("mode", "token")

    def __init__(self, mode: Mode) -> None:
        self.mode = mode

    def __enter__(self) -> Mode:
        self.token = current.set(self.mode)
        return self.mode

    def __exit__(self, *exc_info: object) -> None:
        current.reset(self.token)


EAGER = Eager(grad=True)
current: ContextVar[Mode] = ContextVar("mode", default=EAGER)
