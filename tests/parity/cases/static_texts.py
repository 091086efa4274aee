"""Section 5: what programs, blocks, operators and variables look like."""

import paddle

from tests.parity.kit import Family

cases = Family("static_texts")


@cases
def empty_program():
    return str(paddle.static.default_main_program())
