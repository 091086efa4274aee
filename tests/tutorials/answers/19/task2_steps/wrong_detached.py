# hint: No gradient leads through the loop: what goes around has to come from `x`.
import paddle


def build(x):
    return paddle.static.nn.while_loop(
        lambda h, count: h > 1, lambda h, count: [h / 2, count + 1], [x.detach(), paddle.zeros_like(x)]
    )
