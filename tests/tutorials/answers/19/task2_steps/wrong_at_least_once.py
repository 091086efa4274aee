# hint: Of a number that is not above 1 there is no round.
import paddle


def build(x):
    return paddle.static.nn.while_loop(
        lambda h, count: h > 1, lambda h, count: [h / 2, count + 1], [x / 2, paddle.ones_like(x)]
    )
