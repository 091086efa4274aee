"""Letters and their grounds on the page: what is small has the contrast that it needs."""

import re

from minipaddle.tools.picture.draw.theme import THEMES


def test_the_legend_can_be_read_on_every_colour(page):
    """Contrast as WCAG defines it: 4.5 for small text."""
    page(
        "arguments[0].forEach((role) => { const sign = document.createElement('span');"
        " sign.className = `node-sign role-${role}`; document.querySelector('.legend').append(sign); })",
        [*THEMES["light"].roles],
    )
    for theme in ("light", "dark", "cb"):
        page.select("#themes", theme)
        for colour, ground in page(
            "[...document.querySelectorAll('.legend .node-sign')].map((one) => getComputedStyle(one))"
            ".map((style) => [style.color, style.backgroundColor])"
        ):
            assert contrast(colour, ground) >= 4.5, (theme, colour, ground)


def contrast(one, other):
    """Return the contrast of two colours, told as ``rgb(1, 2, 3)``."""
    low, high = sorted(luminance(colour) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_sign_of_the_legend_is_drawn_as_what_it_explains(page):
    signs = page(
        "Object.fromEntries([...document.querySelectorAll('.legend .node-sign')].map((one) => {"
        " const look = getComputedStyle(one);"
        " return [one.className.split('role-')[1], look.borderStyle === 'none' ? 'none' : look.borderColor]; }))"
    )
    drawn = page(
        "Object.fromEntries([...document.querySelectorAll('.view .node')].map((one) => {"
        " const look = getComputedStyle(one.querySelector('rect'));"
        " return [/role-(\\S+)/.exec(one.className.baseVal)[1], look.stroke]; }))"
    )
    assert {role: signs[role] for role in drawn if role in signs} == drawn
    assert len(drawn) > 4
