"""Networks that a folder offers."""

import pytest

from minipaddle import paddle
from minipaddle.paddle import hub

CONFIG = '''
dependencies = ["math"]
from beside import width

def net(depth=1):
    """Make a net."""
    return ["layer"] * depth, width

def _hidden(): ...

value = 3
'''


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "hubconf.py").write_text(CONFIG)
    (tmp_path / "beside.py").write_text("width = 7")
    return str(tmp_path)


def test_what_is_offered_is_listed_explained_and_made(folder):
    assert hub.list(folder, source="local") == ["net"]
    assert hub.help(folder, "net", source="local") == "Make a net."
    assert hub.load(folder, "net", source="local", depth=2) == (["layer", "layer"], 7)


def test_what_is_not_offered(folder, tmp_path):
    for name in ("gone", "value"):
        with pytest.raises(RuntimeError, match=f"Cannot find callable {name} in hubconf"):
            hub.load(folder, name, source="local")
    with pytest.raises(ValueError, match="model should be a str"):
        hub.load(folder, 3, source="local")
    with pytest.raises(ValueError, match='Unknown source: "x"'):
        hub.list(folder, source="x")
    with pytest.raises(RuntimeError, match="downloads nothing"):
        hub.list("lyuwenyu/paddlehub_demo:main")
    with pytest.raises(RuntimeError, match="make sure config exists"):
        hub.list(str(tmp_path / "nothing"), source="local")
    (tmp_path / "hubconf.py").write_text("dependencies = ['no_such_module']")
    with pytest.raises(RuntimeError, match="Missing dependencies: no_such_module"):
        hub.list(folder, source="local")


def test_weights_by_their_address(tmp_path):
    paddle.save({"w": paddle.ones([2])}, str(tmp_path / "a.pdparams"))
    found = hub.load_state_dict_from_url("https://example.com/x/a.pdparams", str(tmp_path))
    assert found["w"].tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="downloads nothing"):
        hub.load_state_dict_from_url("https://example.com/b.pdparams", str(tmp_path))
