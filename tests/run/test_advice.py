"""The cure that an error's hint names cures: applied to the scripts of tests/transcripts/mistakes.md, they run."""

import pytest

from tests.support.commands import run_command
from tests.support.process import ROOT
from tests.support.transcript_pages import claims

MISTAKES = {claim.title: claim for claim in claims(ROOT / "tests/transcripts/mistakes.md")}
CURES = {
    "the tuple of saved tensors is used as a tensor": ("x = ctx.saved_tensor()", "x, = ctx.saved_tensor()"),
    "saved tensors are asked for by another framework's name": ("ctx.saved_tensors", "ctx.saved_tensor()"),
    "forward of a PyLayer takes self": ("    def forward(self, ", "    @staticmethod\n    def forward("),
    "two layers do not fit": ("nn.Linear(100, 10)", "nn.Linear(784, 10)"),
    "the data does not fit the first layer, of the same size": ("nn.Linear(10, 10), ", "nn.Linear(4, 10), "),
    "an update binds the weight's name to a new tensor": (
        "w = w - 0.1 * w.grad",
        "w.set_value(w - 0.1 * w.grad)",
    ),
    "a condition on several elements": ("if w > 0", "if (w > 0).any()"),
    "the list of gradients is used as a gradient": ("g.numpy()", "g[0].numpy()"),
    "a second derivative without create_graph": ("x * x * x, x", "x * x * x, x, create_graph=True"),
    "an optimizer gets the parameters first": (
        "net.parameters(), 0.1",
        "learning_rate=0.1, parameters=net.parameters()",
    ),
    "an optimizer gets a layer": ("parameters=net", "parameters=net.parameters()"),
    "a method is not called": ("net.parameters:", "net.parameters():"),
    "a tensor is assigned where a parameter was": (
        "net.weight = paddle.zeros([2, 1])",
        "net.weight.set_value(paddle.zeros([2, 1]))",
    ),
    "labels of whole numbers where the loss takes floats": ("1, 1, 0])", "1, 1, 0]).astype('float32')"),
}
"""The text of the script that the hint is about, and what the hint says to write."""


@pytest.mark.parametrize("title", CURES)
def test_the_named_cure_cures(title, tmp_path):
    wrong, right = CURES[title]
    script = MISTAKES[title].text.split("```python\n")[1].split("```")[0]
    assert script.count(wrong) == 1
    path = tmp_path / "script.py"
    path.write_text(script.replace(wrong, right), encoding="utf-8")
    assert run_command("run", path).returncode == 0
