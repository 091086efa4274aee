"""The debugger in an editor: a client of the Debug Adapter Protocol launches scripts, sets breakpoints and moves."""

import json
import re
import subprocess
import sys

import pytest

from minipaddle.tools.debug.dap.adapter import OPTIONS
from minipaddle.tools.words.terminal import UNICODE
from tests.support.dap import SCRIPT, editor, line_of
from tests.support.process import ROOT

# -- a walk ------------------------------------------------------------------------------------------------------------


def test_a_script_is_launched_and_walked_both_ways(program):
    with editor() as vscode:
        vscode.launch(program, passes="all", args=["a", 2], seed=3)
        assert [vscode.event("output")["output"] for _ in range(3)] == ["step 0\n", "step 1\n", "step 2\n"]
        forward, backward = line_of("h = self.fc(x)"), line_of("return dy * scale")
        vscode.set_lines(program, forward, backward)
        vscode.begin()
        assert vscode.frames() == [("<module>", 1)]
        way = [vscode.move("continue") for _ in range(4)]
        assert way == [
            ("breakpoint", "Net.forward  net", forward),
            ("breakpoint", "Double.backward", backward),
            ("breakpoint", "add_grad  fc", forward),
            ("breakpoint", "Net.forward  net", forward),
        ]
        outer = "<module>", line_of("y = (net(x).sum() + w * w).sum()")
        assert vscode.frames() == [("Net.forward  net", forward), outer]
        assert "'run': ['a', '2']" in vscode.scope("locals", 2)["losses"]
        assert vscode.move("reverseContinue") == way[2]
        assert vscode.frames()[1] == ("<module>", line_of("y.backward()"))
        assert vscode.move("reverseContinue") == way[1]
        vscode.ask("disconnect")
        vscode.event("terminated")


def test_steps_go_by_lines_at_a_line_and_by_operators_in_between(vscode, program):
    head = line_of("for step in range(3):")
    vscode.set_lines(program, head + 1, condition="step == 1")
    assert vscode.move("continue") == ("breakpoint", "<module>", head + 1)
    assert vscode.move("stepIn") == ("step", "rate_of", line_of("halved = step > 1"))
    assert vscode.scope("locals")["step"] == "1"
    assert vscode.move("next")[1:] == ("rate_of", line_of("return 0.05 if halved else 0.1"))
    assert vscode.scope("locals")["halved"] == "False"
    assert vscode.move("stepOut")[1:] == ("<module>", head + 2)
    assert vscode.move("stepIn")[1:] == ("Net.forward  net", line_of("h = self.fc(x)"))
    assert vscode.move("stepIn")[1:] == ("matmul  fc", line_of("h = self.fc(x)"))
    assert vscode.move("next")[1:] == ("add  fc", line_of("h = self.fc(x)"))
    assert vscode.move("stepBack")[1:] == ("matmul  fc", line_of("h = self.fc(x)"))
    assert vscode.move("stepOut")[1:] == ("Net.forward  net", line_of("return Double.apply(h)"))
    assert vscode.move("stepBack")[1:] == ("Net.forward  net", line_of("h = self.fc(x)"))
    assert vscode.move("stepOut")[1:] == ("<module>", line_of("y.backward()"))
    assert vscode.move("stepIn")[1:] == ("sum_grad", line_of("y = (net(x).sum() + w * w).sum()"))
    assert vscode.move("stepOut")[1:] == ("<module>", line_of("y.backward()") + 1)
    vscode.set_lines(program, line_of("scale = 2"))
    assert vscode.move("next")[1:] == ("<module>", line_of("y.backward()") + 2)
    assert [vscode.move("next")[2] for _ in range(4)] == [head, head + 1, head + 2, head + 3]
    assert vscode.move("next") == ("breakpoint", "Double.backward", line_of("scale = 2"))  # on the way
    assert vscode.move("stepOut")[1:] == ("Double_grad  net", line_of("return Double.apply(h)"))


def test_the_end_is_told_and_a_second_time_ends_the_session(vscode):
    assert vscode.move("stepBack") == ("step", "<module>", 1)
    assert vscode.move("continue")[1] == "log"
    assert vscode.move("next")[1] == "log"
    assert "the end" in vscode.stops[-1]["text"]
    assert vscode.move("stepBack")[1] == "scale"
    assert vscode.move("reverseContinue") == ("step", "<module>", 1)
    assert vscode.move("continue")[1] == "log"
    vscode.ask("continue", threadId=1)
    vscode.event("terminated")
    assert vscode.refused("threads") == "nothing has been launched"


# -- variables ---------------------------------------------------------------------------------------------------------


def test_variables_are_tensors_with_shapes_and_rows_and_pythons_own_with_parts(vscode):
    vscode.console("goto w.grad")
    assert vscode.scope("gradients")["w.grad"] == "[2] float32 0, 4"
    assert vscode.scope("inputs") == {"w@GRAD": "[2] float32 0, 4"}
    tensors = vscode.scope("tensors")
    assert tensors["x"] == "[1, 2] float32 1, 1"
    assert "w.grad" not in tensors
    found = vscode.ask("evaluate", expression="w", context="hover")
    assert found["result"] == "[2] float32 0, 2"
    assert vscode.parts(found["variablesReference"]) == {"w[0]": "0.0", "w[1]": "2.0"}
    assert vscode.parts(found["variablesReference"], start=1, count=1) == {"w[1]": "2.0"}
    losses = vscode.ask("evaluate", expression="losses", context="watch")
    parts = vscode.ask("variables", variablesReference=losses["variablesReference"])["variables"]
    assert [(one["name"], one["value"]) for one in parts] == [
        ("losses['all']", "[]"),
        ("losses['run']", "[]"),
    ]
    assert vscode.ask("evaluate", expression="w.max() * 3", context="watch")["result"] == "6.0"
    assert "name 'nosuch' is not defined" in vscode.refused("evaluate", expression="nosuch", context="hover")


def test_each_frame_has_its_variables_and_an_operator_what_it_saved(vscode):
    asked = [{"name": "Net.forward", "hitCondition": "2"}]
    vscode.ask("setFunctionBreakpoints", breakpoints=asked)
    vscode.move("continue")
    assert vscode.scope("locals")["x"] == "[1, 2] float32 1, 1"
    assert "step" not in vscode.scope("locals")
    assert vscode.scope("locals", 2)["step"] == "1"
    assert vscode.ask("evaluate", expression="step", frameId=2)["result"] == "1"
    vscode.console("goto multiply_*")
    assert vscode.scope("saved for backward") == {"w": "[2] float32 0, 2"}


def test_a_new_number_is_a_fork_and_breakpoints_are_found_in_it_again(vscode, program):
    line = line_of("y.backward()")
    vscode.set_lines(program, line, condition="y > 100")
    assert vscode.move("continue")[0] == "step"  # the end
    vscode.console("goto multiply_*")
    vscode.console("back")
    vscode.forget()
    answer = vscode.ask("setVariable", variablesReference=1, name="w", value="w + 10")
    assert answer["value"] == "[2] float32 10, 12"
    assert "fork 1: w set at event" in vscode.said()[-1]
    assert vscode.event("stopped")["reason"] == "goto"  # the editor is to read all anew
    assert vscode.move("continue") == ("breakpoint", "<module>", line)
    assert "*** " not in vscode.refused("setVariable", variablesReference=1, name="losses", value="3")


def test_a_file_that_was_edited_is_shown_as_it_was_recorded(vscode, program):
    assert vscode.ask("stackTrace", threadId=1)["stackFrames"][0]["source"]["sourceReference"] == 0
    program.write_text("# another first line\n" + SCRIPT)
    try:
        source = vscode.ask("stackTrace", threadId=1)["stackFrames"][0]["source"]
        assert vscode.ask("source", sourceReference=source["sourceReference"])["content"] == SCRIPT
    finally:
        program.write_text(SCRIPT)


# -- breakpoints -------------------------------------------------------------------------------------------------------


def test_a_breakpoint_stands_at_any_line_that_ran_or_moves_to_the_next(vscode, program):
    asked = [1, line_of("halved = step > 1") - 1, line_of("# the last line makes a NaN"), 400]
    found = vscode.set_lines(program, *asked)
    assert [one.get("line") for one in found] == [1, asked[1], asked[2] + 1, None]
    assert "line 400" in found[3]["message"]
    vscode.console("end")
    vscode.forget()
    assert vscode.move("reverseContinue") == ("breakpoint", "<module>", asked[2] + 1)


def test_a_breakpoint_has_conditions_and_counts(vscode, program):
    line = line_of("rate = rate_of(step)")

    def steps(**options):
        vscode.move("reverseContinue")
        vscode.set_lines(program, line, **options)
        found = []
        while vscode.move("continue")[0] == "breakpoint":
            found.append(int(vscode.scope("locals")["step"]))
        vscode.set_lines(program)
        return found

    assert steps() == [0, 1, 2]
    assert steps(condition="step == 2") == [2]
    assert steps(condition="len(losses['all']) > 1 and w.max() > 1") == [2]
    assert steps(hitCondition="2") == [1]  # counted from the beginning of the recording
    assert steps(hitCondition="% 3") == [2]
    assert steps(hitCondition=">= 2") == [1, 2]
    assert steps(condition="x.sum() > 2") == []  # the variable, not an event's input
    assert "hits are counted" in vscode.set_lines(program, line, hitCondition="often")[0]["message"]
    assert "nosuch" in vscode.set_lines(program, line, condition="nosuch > 1")[0]["message"]
    assert "SyntaxError" in vscode.set_lines(program, line, condition="step ==")[0]["message"]


def test_a_logpoint_speaks_and_goes_on(vscode, program):
    vscode.set_lines(
        program, line_of("rate = rate_of(step)"), logMessage="{step}: w is {w.max()} of {w}, {oops(}"
    )
    vscode.console("break op:log do print w")
    vscode.forget()
    assert vscode.move("continue")[:2] == ("step", "log")
    *said, console = vscode.said()
    assert [one.partition(", {oops")[0] for one in said] == [
        f"{step}: w is 2.0 of [2] float32 0, 2" for step in range(3)
    ]
    assert console == "w  [2]  float32  0, 2\n[0. 2.]\n"


def test_functions_layers_operators_stop_at_each_call(vscode):
    names = ["Double.backward", "rate_of", "fc", "log", "op:mean", "nosuch"]
    found = vscode.ask("setFunctionBreakpoints", breakpoints=[{"name": one} for one in names])["breakpoints"]
    assert [one["verified"] for one in found] == [True] * 4 + [False] * 2
    calls = ["rate_of", "matmul  fc", "Double.backward"]
    assert [vscode.move("continue")[:2] for _ in range(6)] == [
        ("function breakpoint", one) for one in calls * 2
    ]


def test_data_stops_where_it_is_written_or_gets_its_gradient(vscode):
    name = vscode.ask("dataBreakpointInfo", name="w")["dataId"]
    asked = [{"dataId": name}, {"dataId": "nosuch"}, {"dataId": "rate"}]
    found = vscode.ask("setDataBreakpoints", breakpoints=asked[:2])["breakpoints"]
    assert [one["verified"] for one in found] == [True, False]
    assert [vscode.move("continue")[:2] for _ in range(3)] == [("data breakpoint", "w.grad")] * 3
    vscode.ask("setDataBreakpoints", breakpoints=asked[2:])
    assert vscode.move("reverseContinue")[0] == "data breakpoint"
    assert vscode.ask("evaluate", expression="rate")["result"] == "0.05"


def test_exceptions_stop_where_a_nan_is_born_and_tell_its_way(vscode):
    assert "not finite" in vscode.refused("exceptionInfo", threadId=1)
    found = vscode.ask("setExceptionBreakpoints", filters=["nan", "dream"])["breakpoints"]
    assert [one["verified"] for one in found] == [True, False]
    assert vscode.move("continue") == ("exception", "log", line_of("z = paddle.log(w - 2.5)"))
    info = vscode.ask("exceptionInfo", threadId=1)
    assert info["exceptionId"] == "nan"
    assert "log" in info["details"]["stackTrace"]


# -- the console -------------------------------------------------------------------------------------------------------


def test_the_console_takes_commands_and_expressions(vscode):
    assert vscode.console("why w.grad[0]").startswith("w.grad[0] is")
    assert vscode.console("step").startswith(UNICODE.top)  # a command, though a variable is called so
    assert vscode.event("stopped")["reason"] == "goto"
    assert vscode.console("w") == "[2] float32 0, 2"  # a variable, though `w` is also short for `where`
    assert vscode.console("w * 2") == "[0. 4.]"
    assert vscode.console("! 1 + 1") == "2"
    assert "no event makes" in vscode.refused("evaluate", expression="goto {nowhere}", context="repl")
    targets = vscode.ask("completions", text="goto w", column=7)["targets"]
    assert {"label": "w.grad", "start": 5, "length": 1} in targets
    assert "rate" in [one["label"] for one in vscode.ask("completions", text="ra", column=3)["targets"]]


# -- the page ----------------------------------------------------------------------------------------------------------

DOCS = ROOT / "docs"
CONFIGURATIONS = [
    json.loads(one) for one in re.findall(r"```json\n(.*?)```", (DOCS / "editors.md").read_text(), re.S)
]


@pytest.mark.parametrize("found", CONFIGURATIONS, ids=["launch.json", "PyCharm"])
def test_the_configurations_of_the_page_launch_a_script(found, program):
    (config,) = found.get("configurations", [found])
    assert (config["type"], config["request"]) == ("minipaddle", "launch")
    with editor() as vscode:
        vscode.launch(**{**config, "program": config["program"].replace("${file}", str(program))})
        vscode.begin()


def test_the_extension_registers_the_type_and_starts_the_command():
    folder = DOCS / "extending" / "vscode"
    (debugger,) = json.loads((folder / "package.json").read_text())["contributes"]["debuggers"]
    known = debugger["configurationAttributes"]["launch"]["properties"]
    used = set(CONFIGURATIONS[0]["configurations"][0]) | {
        *OPTIONS,
        "program",
        "args",
        "cwd",
        "env",
        "stopOnEntry",
    }
    assert used - {"type", "request", "name"} == set(known)
    command = re.search(r"command = \[(.*)\]", (folder / "extension.js").read_text())[1]
    words = [word.replace("${language}", "zh") for word in re.findall(r"[\"`](.*?)[\"`]", command)]
    ran = subprocess.run([sys.executable, *words, "--help"], capture_output=True, text=True, check=True)
    assert "调试适配器协议" in ran.stdout
