"""`paddle.text`: the best row of tags."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen

cases = Family("text")


@cases
def best_tags():
    found = []
    for number, lengths in enumerate(([4, 2, 1], [1, 1, 1], [3, 5, 2])):
        scores, pairs = data(3, 5, 4, seed=number), data(4, 4, seed=9 + number)
        for marked in (True, False):
            for kind in ("float32", "float64"):
                call = [frozen(scores.astype(kind)), frozen(pairs.astype(kind)), frozen(np.array(lengths))]
                found.append(paddle.text.viterbi_decode(*call, marked))
    return found


@cases
def a_decoder():
    decoder = paddle.text.ViterbiDecoder(frozen(data(4, 4)), include_bos_eos_tag=False)
    return decoder(frozen(data(2, 3, 4)), frozen(np.array([3, 2])))
