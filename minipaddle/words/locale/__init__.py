"""Translations, as GNU gettext has them: people edit a ``.po`` file, the standard library's gettext looks it up.

The file is read as it is: no ``msgfmt`` and no compiled ``.mo`` beside it, in a checkout or in a wheel.
"""

from __future__ import annotations

import ast
import struct
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

_MAGIC = 0x950412DE
_HEADER = struct.Struct("<7I")
_PLACE = struct.Struct("<2I")


@cache
def translations(language: str) -> GNUTranslations:
    """Return the translations in ``LANGUAGE.po``."""
    text = Path(__file__).with_name(f"{language}.po").read_text(encoding="utf-8")
    return GNUTranslations(BytesIO(compiled(entries(text))))


def entries(text: str) -> dict[str, str]:
    r"""Return the translation of each sentence in the text of a ``.po`` file.

    A sentence with a context stands under ``CONTEXT\x04SENTENCE``; the file's header stands under "".

    >>> entries('# a remark\nmsgid "the end"\nmsgstr "结束"\n')
    {'the end': '结束'}
    """
    found: dict[str, str] = {}
    for entry in text.split("\n\n"):
        fields: dict[str, str] = {}
        keyword = ""
        for line in entry.splitlines():
            if line.startswith("msg"):
                keyword, _, line = line.partition(" ")
            if line.startswith('"'):
                fields[keyword] = fields.get(keyword, "") + ast.literal_eval(line)
        if "msgid" in fields:
            context = f"{fields['msgctxt']}\x04" if "msgctxt" in fields else ""
            found[context + fields["msgid"]] = fields["msgstr"]
    return found


def compiled(translated: dict[str, str]) -> bytes:
    """Return the bytes of a ``.mo`` file: a header, where the sentences and translations are, and their texts."""
    pairs = sorted((sentence.encode(), meaning.encode()) for sentence, meaning in translated.items())
    count, columns = len(pairs), list(zip(*pairs))
    place = _HEADER.size + 2 * count * _PLACE.size
    places, texts = b"", b""
    for text in (text for column in columns for text in column):
        places += _PLACE.pack(len(text), place + len(texts))
        texts += text + b"\0"
    second = _HEADER.size + count * _PLACE.size
    return _HEADER.pack(_MAGIC, 0, count, _HEADER.size, second, 0, 0) + places + texts
