"""How attributes are printed in a Program and read back."""

import inspect

import numpy as np
import pytest

from minipaddle.engine.value.meta import Meta
from minipaddle.ops.definition.program_printing import Listing, derived, of

DEFAULTS = {"axis": None, "keepdim": False, "dtype": None}


def made(listing=None, **defaults):
    return (listing or Listing()).bind("op", defaults or DEFAULTS)


def test_what_is_not_mentioned_stands_under_its_own_name():
    attrs = {"axis": (0, (1, 2)), "keepdim": True, "dtype": np.dtype("float32")}
    listed = made().write(attrs)
    assert listed == {"axis": [0, [1, 2]], "keepdim": True, "dtype": 5}
    assert made().read(listed) == attrs


def test_no_type_is_minus_one():
    assert made().write(DEFAULTS)["dtype"] == -1
    assert made().read({"dtype": -1}) == DEFAULTS


def test_a_number_for_a_type_that_there_is_not():
    with pytest.raises(TypeError, match="99"):
        made().read({"dtype": 99})


def test_other_names_constants_and_what_follows():
    listing = made(
        Listing(
            "dtype",
            keep_dim=of("keepdim"),
            layout="any",
            rank=derived(lambda attrs, metas: len(metas[0].shape)),
        )
    )
    listed = listing.write({**DEFAULTS, "keepdim": True}, [Meta((2, 3), np.dtype("float32"))])
    assert listed == {"axis": None, "keep_dim": True, "layout": "any", "rank": 2}
    assert sorted(listing.names) == sorted(listed)
    assert listing.read(listed) == {**DEFAULTS, "keepdim": True}


def test_one_listing_may_serve_several_operators():
    shared = Listing(keep_dim=of("keepdim"))
    assert shared.bind("one", {"keepdim": False}).read({}) == {"keepdim": False}
    assert shared.bind("other", {"keepdim": True}).read({}) == {"keepdim": True}


def test_names_that_mean_nothing_are_passed_over():
    assert made().read({"use_mkldnn": True}) == DEFAULTS


def test_a_required_one_must_be_there():
    listing = made(Listing(dim=of("axis")), axis=inspect.Parameter.empty)
    with pytest.raises(ValueError, match=r"Attribute \(dim\) of op is not set correctly"):
        listing.read({})


def test_another_value_for_what_is_constant_is_refused():
    listing = made(Listing(layout="NCHW", sizes=[1, 1]))
    assert listing.read({"layout": "NCHW", "sizes": (1, 1)}) == DEFAULTS
    with pytest.raises(NotImplementedError, match="layout"):
        listing.read({"layout": "NHWC"})


def test_constants_tell_which_operator_is_meant():
    listing = made(Listing(adaptive=True))
    assert listing.fits({"adaptive": True, "axis": 1})
    assert listing.fits({})
    assert not listing.fits({"adaptive": False})
