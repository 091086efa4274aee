"""The colours of a page as variables of its style sheet, from the table that all pictures share."""

from collections.abc import Iterator

from minipaddle.tools.picture.draw.theme import EDGES, THEMES, Theme


def colours() -> str:
    """Return the CSS rules: the theme of the system, unless the page sets another; on paper, greys."""
    light, dark = f'data-theme="light"]{{{_variables("light")}}}', f":root{{{_variables('dark')}}}"
    others = (name for name in THEMES if name != "light")
    chosen = "".join(f':root[data-theme="{name}"]{{{_variables(name)}}}\n' for name in others)
    roles = "".join(_role_rules(THEMES["light"]))
    system = f":root,:root[{light}\n@media(prefers-color-scheme:dark){{{dark}}}\n"
    return f"{system}{chosen}{roles}@media print{{:root:root{{{_variables('print')}}}}}\n"


def _variables(name: str) -> str:
    theme = THEMES[name]
    known = {key: getattr(theme, key) for key in ("paper", "ink", "pale", "frame", "found")}
    for role, (fill, line) in theme.roles.items():
        known |= {f"{role}-fill": theme.paper if fill == "none" else fill, f"{role}-line": line}
    known |= {f"edge-{kind}": colour for kind, colour in theme.edges.items()}
    known |= {f"weight-{kind}": "2" if kind in theme.heavy else "1" for kind in EDGES if kind != "order"}
    known |= {"by-norm": "0", "widths": "none"} if theme.heavy else {"by-norm": "1", "widths": "inline"}
    scheme = "dark" if name == "dark" else "light"
    return f"color-scheme:{scheme};" + "".join(f"--{key}:{value};" for key, value in known.items())


def _role_rules(theme: Theme) -> Iterator[str]:
    """Yield the CSS rules that give shapes the colours of their role."""
    for role in theme.roles:
        yield f".role-{role}>rect{{fill:var(--{role}-fill);stroke:var(--{role}-line)}}\n"
        yield f".node-sign.role-{role}{{background:var(--{role}-fill);border-color:var(--{role}-line)}}\n"
    for kind in EDGES:
        if kind != "order":
            width = f"calc(1px*(var(--weight-{kind}) + var(--by-norm)*(var(--width,1) - 1)))"
            yield f".kind-{kind}>path{{stroke:var(--edge-{kind});stroke-width:{width}}}\n"
            yield f".edge-sign.kind-{kind}{{border-color:var(--edge-{kind})}}\n"
            yield f".legend .edge-sign.kind-{kind}{{border-top-width:calc(var(--weight-{kind})*2px)}}\n"
