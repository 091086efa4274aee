"""paddle.static: settings of strategies."""

from tests.support.parity.kit import Family

cases = Family("static_layers")
