"""Base of the transforms: a class with options, called on an image, or on a tuple that begins with one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from minipaddle.paddle.nn.arguments import bound


class Compose:
    """Transforms called one after the other."""

    def __init__(self, transforms: Sequence[Callable[[Any], Any]]) -> None:
        self.transforms = transforms

    def __call__(self, data: Any) -> Any:
        """Return the output of the last transform; an error says in which transform it occurred."""
        for transform in self.transforms:
            try:
                data = transform(data)
            except Exception as error:
                error.add_note(f"fail to perform transform [{transform}]")
                raise
        return data

    def __repr__(self) -> str:
        return "".join([f"{type(self).__name__}(", *(f"\n    {one}" for one in self.transforms), "\n)"])


class BaseTransform:
    """Base of transforms, all with `keys`: a subclass defines the transform of images, boxes and masks.

    Args:
        keys: the kinds of an input's parts, ``("image", "boxes")``; each is passed to the method ``_apply_boxes`` and
            its like, and further parts stay unchanged. By default an image.

    Raises:
        ValueError: **keys**.
        NotImplementedError: **is unsupported**, for a key without a method.
    """

    def __init__(self, keys: Sequence[str] | None = None) -> None:
        if keys is None:
            keys = ("image",)
        elif not isinstance(keys, Sequence):
            raise ValueError(f"keys should be a sequence, but got keys={keys}")
        for key in keys:
            if self._get_apply(key) is None:
                raise NotImplementedError(f"{key} is unsupported data structure")
        self.keys = keys
        self.params: Any = None

    def __call__(self, inputs: Any) -> Any:
        """Return the image, or a tuple, transformed."""
        parts = inputs if isinstance(inputs, tuple) else (inputs,)
        self.params = self._get_params(parts)
        done = [self._get_apply(key)(part) for key, part in zip(self.keys, parts, strict=False)]
        outputs = (*done, *parts[len(done) :])
        return outputs if len(outputs) > 1 else outputs[0]

    def _get_params(self, inputs: Any) -> Any:
        """Return values that the parts of one input share, such as a random number; kept as ``params``."""
        return None

    def _get_apply(self, key: str) -> Any:
        return getattr(self, f"_apply_{key}", None)

    def _apply_image(self, part: Any) -> Any:
        raise NotImplementedError(
            f"{type(self).__name__} does not say what becomes of images, boxes, masks or points"
        )

    _apply_boxes = _apply_mask = _apply_coords = _apply_image


class Options(BaseTransform):
    """A transform that keeps its arguments as attributes: the class line lists them, with their defaults.

    ::

        class Grayscale(Options, function=F.to_grayscale):
            "Make an image grey, of 1 channel or 3."

    It calls a function and has the function's arguments, in order, unless others are listed.
    """

    __signature__: inspect.Signature
    _takes = inspect.Signature()
    _function: Callable[..., Any]

    def __init_subclass__(cls, function: Callable[..., Any] | None = None, **arguments: Any) -> None:
        if function is not None:
            cls._function = staticmethod(function)
            own = list(inspect.signature(function).parameters.values())[1:]  # the first is the image
            arguments = arguments or {one.name: one.default for one in own}
        if arguments:  # else a user's class, or one with its base's arguments
            plain = inspect.Parameter.POSITIONAL_OR_KEYWORD
            cls.__signature__ = cls._takes = inspect.Signature(
                [
                    inspect.Parameter(name, plain, default=usual)
                    for name, usual in (arguments | {"keys": None}).items()
                ]
            )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given = bound(self, self._takes, args, kwargs)
        super().__init__(given.pop("keys"))
        self._check(given)
        vars(self).update(given)

    def _check(self, given: dict[str, Any]) -> None:
        """Refuse invalid arguments, and normalize the others."""

    def _apply_image(self, image: Any) -> Any:
        return self._function(image, *(getattr(self, name) for name in [*self._takes.parameters][:-1]))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


REQUIRED = inspect.Parameter.empty
"""Marks a missing default."""
