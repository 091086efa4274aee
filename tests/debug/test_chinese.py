"""The prompt in Chinese: sentences and tables change, names stay."""

import pytest
from rich.cells import cell_len

from minipaddle.tools.debug import Prompt
from minipaddle.tools.words.language import say, speak
from minipaddle.tools.words.terminal import UNICODE


@pytest.fixture
def chinese():
    speak("zh")
    yield
    speak("en")


def test_names_stay_and_sentences_change(session, chinese):
    said = []
    prompt = Prompt(session, UNICODE, said.append)
    for command in ("goto w@GRAD", "why", "flow", "nan", "b op:nothing", "help"):
        prompt.run(command)
    text = "\n".join(said)
    assert "下一步：" in text
    assert "w@GRAD = " in text
    assert "没有与 op:nothing 匹配的" in text
    assert say("no such sentence {x}", x=1) == "no such sentence 1"


def test_tables_and_verdicts_are_chinese_and_aligned_by_cells(session, chinese):
    said = []
    prompt = Prompt(session, UNICODE, said.append)
    for command in ("goto w@GRAD", "why", "flow"):
        prompt.run(command)
    text = "\n".join(said)
    head, row = (next(line for line in said if line.startswith(one)) for one in ("停点", "1"))
    assert cell_len(head[: head.index("判断")]) == cell_len(row[: row.index("正常")])
    assert "公式     w@GRAD" in text
    assert "verdict" not in text
    said.clear()
    prompt.run("delete")
    assert said == ["*** 没有断点"]
