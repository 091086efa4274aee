"""Find the families of cases and run a case."""

from importlib import import_module
from pathlib import Path
from typing import Any

from . import cases
from .codec import encode
from .kit import Case, Family, Refusal, Same, mode_of

HOME = Path(cases.__path__[0])


def families(mode: str) -> list[str]:
    """The pages and case modules of "eager" or "static"."""
    return sorted({path.stem for path in HOME.glob("[a-z]*.*") if mode_of(path.stem) == mode})


def family_of(name: str) -> Family:
    """The cases of a module and of the page beside it, or of a page alone. They say `import paddle`."""
    if not (HOME / f"{name}.py").exists():
        return Family(name).with_stories({})
    module = import_module(f"{cases.__name__}.{name}")
    return module.cases.with_stories(vars(module))


def all_cases(names: list[str]) -> dict[str, Case]:
    """Every case of these families as `family/name`."""
    found = map(family_of, names)
    return {f"{family.name}/{name}": case for family in found for name, case in family.items()}


def expected(case: Case, recorded: Any) -> Any:
    """What minipaddle has to answer: what Paddle did, unless the case says that we differ."""
    return recorded if case.ours is Same else encode(case.ours)


def run(case: Case) -> Any:
    """The encoded result; a refusal whose text lacks one of its key words says so in `error`."""
    return encode(checked(case.run()))


def checked(value: Any) -> Any:
    """`value`, where refusals without their key words are replaced by a complaint."""
    if isinstance(value, dict):
        return {key: checked(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [checked(item) for item in value]
    if isinstance(value, Refusal):
        missing = [word for word in value.words if word not in value.message]
        return Refusal(f"{value.kind} without {missing}", value.words, value.message) if missing else value
    return value
