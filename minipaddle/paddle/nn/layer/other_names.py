"""The half of ``Layer`` that has other names for what it can do, and finds parts by their dotted names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Self

from minipaddle.engine.core.errors import failure
from minipaddle.paddle.nn.layer.tree import Tree

if TYPE_CHECKING:
    from minipaddle.paddle.nn.layer.layers import HookRemoveHelper, Layer


class OtherNames(Tree):
    """What Paddle 3 added to ``Layer`` for users of other frameworks."""

    # -- finding parts ---------------------------------------------------------------------------------------

    def get_sublayer(self, target: str) -> Any:
        """Return the sublayer with this dotted name; itself for "".

        Raises:
            AttributeError: **has no attribute**, **is not an nn.Layer**.
        """
        found: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(found, name):
                raise AttributeError(f"{type(found).__name__} has no attribute `{name}`")
            found = getattr(found, name)
            if not isinstance(found, Tree):
                raise AttributeError(f"`{name}` is not an nn.Layer")
        return found

    get_submodule = get_sublayer

    def set_sublayer(self, target: str, layer: Layer, strict: bool = False) -> None:
        """Put `layer` in the place of the sublayer with this dotted name; if `strict`, there has to be one.

        Raises:
            ValueError: **target name**, **is not an nn.Layer**.
            AttributeError: **has no attribute**, **is not an nn.Layer**.
        """
        if target == "":
            raise ValueError("Cannot set the sublayer without a target name!")
        if not isinstance(layer, Tree):
            raise ValueError(f"`module` is not an nn.Layer, found {type(layer)}")
        above, _, name = target.rpartition(".")
        parent = self.get_sublayer(above)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{type(parent).__name__} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Tree):
            raise AttributeError(f"`{name}` is not an nn.Layer")
        setattr(parent, name, layer)

    set_submodule = set_sublayer

    def _get_part(self, target: str, room: str, what: str) -> Any:
        above, _, name = target.rpartition(".")
        parent = self.get_sublayer(above)
        if not hasattr(parent, name):
            raise AttributeError(f"{type(parent).__name__} has no attribute `{name}`")
        if name not in parent.__dict__[room]:
            raise AttributeError(f"`{name}` is not {what}")
        return getattr(parent, name)

    def get_parameter(self, target: str) -> Any:
        """Return the parameter with this dotted name.

        Raises:
            AttributeError: **has no attribute**, **is not an nn.Parameter**.
        """
        return self._get_part(target, "_parameters", "an nn.Parameter")

    def get_buffer(self, target: str) -> Any:
        """Return the buffer with this dotted name.

        Raises:
            AttributeError: **has no attribute**, **is not a buffer**.
        """
        return self._get_part(target, "_buffers", "a buffer")

    def modules(self) -> Iterator[Any]:
        """Yield this layer and all sublayers."""
        yield from self.sublayers(include_self=True)

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Yield this layer and all sublayers with their dotted names."""
        yield from self.named_sublayers(prefix, True, memo)

    # -- other names -----------------------------------------------------------------------------------------

    if TYPE_CHECKING:
        add_sublayer: Callable[..., Any]
        add_parameter: Callable[..., Any]
        register_forward_post_hook: Callable[..., HookRemoveHelper]
        set_state_dict: Callable[..., Any]
        state_dict: Callable[..., Any]
        clear_gradients: Callable[..., None]
        to: Callable[..., Any]

    def add_module(self, name: str, module: Any) -> None:
        """Take a sublayer in under `name`; also ``register_module``."""
        self.add_sublayer(name, module)

    register_module = add_module

    def register_parameter(self, name: str, param: Any) -> None:
        """Take a parameter in under `name`."""
        self.add_parameter(name, param)

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> HookRemoveHelper:
        """Call ``hook(layer, inputs, outputs)`` after forward; what it returns replaces the outputs."""
        return self.register_forward_post_hook(hook)

    def load_state_dict(self, state_dict: Any, strict: bool = True, assign: bool = False) -> Any:
        """Copy values from a state dict; if `strict`, the names have to be the same.

        Raises:
            RuntimeError: **Error(s) in loading state_dict**, naming what is missing or too many.
        """
        missing, unexpected = self.set_state_dict(state_dict)
        if strict and (missing or unexpected):
            raise failure(
                RuntimeError,
                f"Error(s) in loading state_dict for {type(self).__name__}: missing keys {missing}, unexpected keys "
                f"{unexpected}.",
            )
        return missing, unexpected

    def to_static_state_dict(
        self,
        destination: dict[str, Any] | None = None,
        include_sublayers: bool = True,
        structured_name_prefix: str = "",
        use_hook: bool = True,
        keep_vars: bool = True,
    ) -> Any:
        """Return parameters and buffers by dotted name."""
        return self.state_dict(destination, include_sublayers, structured_name_prefix)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Say whether the parameters require gradients."""
        for parameter in self.parameters():
            parameter.stop_gradient = not requires_grad
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients of the parameters: to None, or to zeros."""
        self.clear_gradients(set_to_zero=not set_to_none)

    def type(self, dst_type: Any) -> Self:
        """Convert to `dst_type`, in place."""
        self.to(dtype=dst_type)
        return self

    def half(self) -> Self:
        """Convert to float16, in place; also ``float16``."""
        self.to(dtype="float16")
        return self

    def float16(self, excluded_layers: Any = None) -> Self:
        """Convert to float16, in place; layers of the types `excluded_layers` stay."""
        return self._to_except("float16", excluded_layers)

    def _to_except(self, dtype: str, excluded: Any) -> Self:
        several = excluded if isinstance(excluded, (list, tuple)) else [excluded]
        kinds = () if excluded is None else tuple(several)
        if not kinds:
            self.to(dtype=dtype)
            return self
        for layer in self.sublayers(include_self=True):
            if not isinstance(layer, kinds):
                layer._convert_own(dtype)
        return self

    def cpu(self) -> Self:
        """Return the layer: it is on the CPU."""
        return self

    def _get_name(self) -> str:
        return type(self).__name__
