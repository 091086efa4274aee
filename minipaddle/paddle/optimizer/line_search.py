"""Line search: how far to go along a direction (Nocedal and Wright, Numerical Optimization, algorithm 3.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.core.meta import Array

DECREASE, CURVATURE = 1e-4, 0.9
"""How much of the first slope the loss must make good, and how much of it may be left: c1 and c2."""
_TRIES = 25
_NEARLY_EQUAL = 1e-9


class Place(NamedTuple):
    """What is found at a distance along the direction."""

    distance: Any
    loss: Any
    grad: Array
    slope: Any  # of the loss, along the direction

    def falls_short_of(self, start: Place) -> bool:
        """Say whether the loss has decreased by less than the slope at `start` promises (Armijo)."""
        return bool(self.loss > start.loss + DECREASE * self.distance * start.slope)

    def is_flat_beside(self, start: Place) -> bool:
        """Say whether little of the slope is left (the strong Wolfe condition)."""
        return bool(abs(self.slope) <= -CURVATURE * start.slope)


def lowest_between(one: Place, two: Place, bounds: tuple[Any, Any] | None = None) -> Any:
    """Return where the cubic through two places, with their slopes, is lowest, within `bounds`: else between them."""
    left, right = (one, two) if one.distance <= two.distance else (two, one)
    low, high = bounds or (left.distance, right.distance)
    d1 = one.slope + two.slope - 3 * (one.loss - two.loss) / (one.distance - two.distance)
    square = d1**2 - one.slope * two.slope
    if not square >= 0:
        return (low + high) / 2.0
    d2 = np.sqrt(square)
    quotient = (right.slope + d2 - d1) / (right.slope - left.slope + 2 * d2)
    return min(max(right.distance - (right.distance - left.distance) * quotient, low), high)


def strong_wolfe(at: Callable[[Any], Place], start: Place, first: Any, size: float) -> tuple[Place, int]:
    """Return a place that satisfies the strong Wolfe conditions, as far as there is one, and how often `at` was asked.

    Args:
        at: what is found at a distance.
        start: what is found at distance 0.
        first: the distance to try first.
        size: the largest element of the direction.
    """
    low, high, tries = _bracket(at, start, first)
    stuck = False  # the last distance was close to an end of the bracket
    while low is not high and tries < _TRIES and abs(high.distance - low.distance) * size >= _NEARLY_EQUAL:
        distance, stuck = _between(low, high, stuck)
        place = at(distance)
        tries += 1
        if place.falls_short_of(start) or place.loss >= low.loss:
            low, high = _by_loss(low, place)
        elif place.is_flat_beside(start):
            low = high = place
        else:
            turned = place.slope * (high.distance - low.distance) >= 0
            low, high = place, low if turned else high
    return low, tries + 1


def _bracket(at: Callable[[Any], Place], start: Place, first: Any) -> tuple[Place, Place, int]:
    """Return two places with a good one between them, the lower first, or a good one twice; and the tries after one."""
    before, now = start, at(first)
    for tries in range(_TRIES):
        rises = now.falls_short_of(start) or (tries > 1 and now.loss >= before.loss)
        if not rises and now.is_flat_beside(start):
            return now, now, tries
        if rises or now.slope >= 0:
            return *_by_loss(before, now), tries
        bounds = now.distance + 0.01 * (now.distance - before.distance), now.distance * 10
        before, now = now, at(lowest_between(before, now, bounds))
    return *_by_loss(start, now), _TRIES


def _by_loss(one: Place, two: Place) -> tuple[Place, Place]:
    return (one, two) if one.loss <= two.loss else (two, one)


def _between(low: Place, high: Place, stuck: bool) -> tuple[Any, bool]:
    """Return the distance to try next, away from the ends if the last was close to one; and whether this one is."""
    distance = lowest_between(low, high)
    left, right = min(low.distance, high.distance), max(low.distance, high.distance)
    tenth = 0.1 * (right - left)
    if not min(right - distance, distance - left) < tenth:
        return distance, False
    if not stuck and left < distance < right:
        return distance, True
    return (right - tenth if abs(distance - right) < abs(distance - left) else left + tenth), False
