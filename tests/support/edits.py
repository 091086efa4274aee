"""Texts that are edits of other texts: a wrong answer of its solution, a planted mistake of the correct script.

A line with ``-`` stands in the text and goes, one with ``+`` comes, one with a space stays and says where this is.
``@@`` begins another place. What goes and stays must stand in the text once.
"""


def edited(text: str, edits: str) -> str:
    """Return the text with the edits made."""
    for edit in edits.removesuffix("\n").split("\n@@\n"):
        lines = edit.split("\n")
        old, new = ("".join(f"{line[1:]}\n" for line in lines if line[:1] != mark) for mark in "+-")
        assert text.count(old) == 1, f"{text.count(old)} times in the text:\n{old}"
        text = text.replace(old, new)
    return text


def sections(text: str) -> list[tuple[str, str]]:
    """Return the head and the rest of each section: a head begins with ``==`` and a space."""
    whole = text.removesuffix("\n")
    parts = f"\n{whole}".split("\n== ")[1:]
    return [(head, f"{rest}\n") for head, _, rest in (part.partition("\n") for part in parts)]
