"""The pictures of the Chinese site: every one that a page shows is drawn again, with Chinese words."""

from docs.site import pictures
from docs.site.paths import ROOT
from docs.site.stage import _PICTURES


def test_every_picture_of_a_page_is_drawn_by_the_command_that_is_shown():
    stored = {path.relative_to(ROOT) for pattern in _PICTURES for path in ROOT.glob(pattern)}
    assert set(pictures.commands()) == stored


def test_a_picture_has_chinese_words_and_the_ids_of_the_english_one(tmp_path, monkeypatch):
    one = next(path for path in pictures.commands() if path.name == "02_step_clears.svg")
    words = pictures.commands()[one]
    monkeypatch.setattr(pictures, "commands", lambda: {one: words})
    (tmp_path / one.parent).mkdir(parents=True)
    pictures.draw_in_chinese(tmp_path)
    drawn = (tmp_path / one).read_text(encoding="utf-8")
    assert "梯度规则" in drawn
    assert "累加到已有的梯度上" in drawn
    assert "gradient rule" not in drawn
