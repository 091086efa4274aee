"""ParamAttr: the settings of a parameter that a layer will make."""

from __future__ import annotations

from typing import Any


class ParamAttr:
    """How to make a parameter (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/ParamAttr_en.html).

    Args:
        name: its name; None: made from the layer's name.
        initializer: an instance of ``paddle.nn.initializer``.
        learning_rate: factor for the optimizer's learning rate.
        regularizer: its own decay.
        trainable: whether it requires gradient.
        do_model_average: kept for scripts that set it.
        need_clip: whether gradient clipping applies to it.
    """

    def __init__(
        self,
        name: str | None = None,
        initializer: Any = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = True,
        need_clip: bool = True,
    ) -> None:
        if name == "":
            raise ValueError("name of ParamAttr can not be empty str")
        self.name = name
        self.initializer = initializer
        self.learning_rate = learning_rate
        self.regularizer = regularizer
        self.trainable = trainable
        self.do_model_average = do_model_average
        self.need_clip = need_clip


def as_param_attr(attr: Any) -> ParamAttr | None:
    """Return the user's ``weight_attr`` as a ParamAttr; None for no parameter (False).

    Raises:
        TypeError: **cast to ParamAttr**, for anything but None, True, False, a name, an initializer or a
            ParamAttr.
    """
    if attr is False:
        return None
    if attr is None or attr is True:
        return ParamAttr()
    if isinstance(attr, ParamAttr):
        return attr
    if isinstance(attr, str):
        return ParamAttr(name=attr)
    if callable(attr) and not isinstance(attr, type):
        return ParamAttr(initializer=attr)
    raise TypeError(
        f"{type(attr)} cast to ParamAttr: expected None, False, a name, an initializer such as "
        "paddle.nn.initializer.Constant(0.0), or paddle.ParamAttr(...)"
    )
