"""Find the case modules and run a case."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from . import cases
from .codec import encode
from .kit import Case, Refusal, Same, mode_of


def families(mode: str) -> list[str]:
    """The case modules of "eager" or "static"."""
    return [module.name for module in iter_modules(cases.__path__) if mode_of(module.name) == mode]


def all_cases(names: list[str]) -> dict[str, Case]:
    """Every case of these modules as `family/name`. The modules say `import paddle`."""
    modules = [import_module(f"{cases.__name__}.{name}") for name in names]
    found = [module.cases.with_stories(module) for module in modules]
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
