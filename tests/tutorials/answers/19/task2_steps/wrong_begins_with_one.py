# hint: The count begins with 0.
import paddle


def build(x):
    return paddle.static.nn.while_loop(
        lambda h, count: h > 1, lambda h, count: [h / 2, count + 1], [paddle.assign(x), paddle.ones_like(x)]
    )
