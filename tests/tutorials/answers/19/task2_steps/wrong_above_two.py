# hint: One round is missing: 1.5 is above 1.
import paddle


def build(x):
    return paddle.static.nn.while_loop(
        lambda h, count: h > 2, lambda h, count: [h / 2, count + 1], [paddle.assign(x), paddle.zeros_like(x)]
    )
