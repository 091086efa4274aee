"""paddle.text: data sets of words and numbers, and the best row of tags.

What is here has the arguments of Paddle's own, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/text/Overview_en.html.
"""

from __future__ import annotations

from minipaddle.engine.core.later import front
from minipaddle.paddle.text.datasets import Imdb, Imikolov, UCIHousing
from minipaddle.paddle.text.viterbi_decode import ViterbiDecoder, viterbi_decode

__all__ = ["Imdb", "Imikolov", "UCIHousing", "ViterbiDecoder", "viterbi_decode"]
__getattr__ = front(globals())
