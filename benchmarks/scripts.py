"""What each engine imports and which script it runs for a case."""

from pathlib import Path

HERE = Path(__file__).parent
EAGER = {"minipaddle", "paddle"}
PADDLES = {"paddle", "paddle26", "paddle_old_ir"}
OLD_IR = {"FLAGS_enable_pir_api": "0"}  # Paddle 3 then keeps programs as Paddle 2 did


def module_of(engine):
    """The module to import: the engine's name, but every real Paddle is called `paddle`, and one is ours."""
    if engine == "least":
        return "benchmarks.twins.least"
    return "paddle" if engine in PADDLES else engine


def environment_of(engine):
    """What the engine wants to be told before it is imported."""
    return OLD_IR if engine == "paddle_old_ir" else {}


def script_of(case, engine):
    """The case's script for minipaddle and Paddle, its twin for others; None if this engine takes no part.

    Only the static cases are run by Paddle 2.6.2 and by the old IR of Paddle 3. A case that only moves the
    computation into a Program has the twin of the eager one.
    """
    static = case.startswith("static_")
    if engine in EAGER or (static and engine in PADDLES):
        return f"benchmarks.cases.{case}"
    twin = f"{case.removeprefix('static_')}_{engine}"
    return f"benchmarks.twins.{twin}" if (HERE / "twins" / f"{twin}.py").exists() else None
