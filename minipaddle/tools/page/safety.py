"""Safety of a page: a policy that browsers enforce and data that cannot end its element."""

import base64
import hashlib
import json
from typing import Any

from minipaddle.paddle.static.pytree import rebuilt
from minipaddle.tools.words.control_characters import visible


def policy(script: str, css: str) -> str:
    """Return the policy that allows only this script and style sheet: no network, no frame, no form."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(css)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def as_script(data: Any) -> str:
    """Return JSON that cannot end its HTML element, nor change the direction of the text shown."""
    shown = rebuilt(data, lambda one: visible(one) if isinstance(one, str) else one)
    text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text.encode("utf-8", "replace").decode()
