"""paddle.text.datasets: what is written about houses, films and the world, in files that are on this machine."""

from minipaddle.engine.core.later import front

__getattr__ = front(globals(), {"housing": "UCIHousing", "imdb": "Imdb", "imikolov": "Imikolov"})
