"""Keywords of 3.3: second names of parameters, `out=`, `device=`; and what a sweep over all functions found."""

import io

import paddle
import paddle.nn.functional as F

from tests.support.parity.kit import Family, data, frozen, leaf, raises

cases = Family("keywords")
MATRIX, ROW = data(2, 3), data(3)

SECOND_NAMES = {
    "add": lambda x, y: paddle.add(input=x, other=y, alpha=2),
    "subtract": lambda x, y: x.subtract(other=y, alpha=0.5),
    "divide": lambda x, y: paddle.divide(input=x, other=y, rounding_mode="floor"),
    "div trunc": lambda x, y: paddle.div(x, y, rounding_mode="trunc"),
    "exp": lambda x, y: paddle.exp(input=x),
    "sum": lambda x, y: paddle.sum(input=x, dim=0),
    "mean": lambda x, y: x.mean(dim=[0, 1], keepdim=True),
    "var": lambda x, y: paddle.var(input=x, dim=1, correction=0),
    "pow": lambda x, y: paddle.pow(input=x, exponent=2.0),
    "concat": lambda x, y: paddle.cat(tensors=[x, x], dim=1),
    "stack": lambda x, y: paddle.stack(tensors=[x, x], dim=-1),
    "argmax": lambda x, y: paddle.argmax(input=x, dim=1, keepdims=True),
    "topk": lambda x, y: paddle.topk(input=x, k=2, dim=0)[0],
    "flatten": lambda x, y: paddle.flatten(input=x, start_dim=0, end_dim=1),
    "transpose": lambda x, y: paddle.transpose(x, 0, 1) + paddle.transpose(input=x, dim0=1, dim1=0),
    "swapaxes": lambda x, y: x.swapaxes(axis0=0, axis1=1),
    "squeeze": lambda x, y: paddle.squeeze(input=x.unsqueeze(dim=0), dim=0),
    "index_add": lambda x, y: paddle.index_add(x, paddle.to_tensor([1]), 0, x[:1], 3),
    "layer_norm": lambda x, y: F.layer_norm(input=x, normalized_shape=3, eps=2.0**-10),
    "normalize": lambda x, y: F.normalize(input=x, dim=0, eps=1e-3),
    "softmax": lambda x, y: F.softmax(input=x, dim=0),
    "fft": lambda x, y: paddle.fft.fft(input=x, dim=0).real(),
    "searchsorted": lambda x, y: paddle.searchsorted(paddle.sort(y), x, side="right"),
    "bucketize": lambda x, y: paddle.bucketize(input=x, boundaries=paddle.sort(y)),
    "isin": lambda x, y: paddle.isin(elements=x, test_elements=y),
    "full": lambda x, y: paddle.full(size=[2], fill_value=1.5),
    "ones": lambda x, y: [paddle.ones(2, 3), paddle.zeros(size=[2]), paddle.eye(n=2, m=3)],
    "linspace": lambda x, y: paddle.linspace(0, end=1, steps=3),
}
for name, call in SECOND_NAMES.items():
    cases.add(name, lambda call: call(frozen(MATRIX), frozen(ROW)), call)

OUT = {
    "exp": lambda x, out: paddle.exp(x, out=out),
    "add": lambda x, out: paddle.add(x, x, out=out),
    "mean": lambda x, out: paddle.mean(x, out=out),
    "matmul": lambda x, out: paddle.matmul(x, x, transpose_y=True, out=out),
    "cumsum": lambda x, out: paddle.cumsum(x, 0, out=out),
    "where": lambda x, out: paddle.where(x > 0, x, x * 2, out=out),
    "assign": lambda x, out: paddle.assign(x, out),
}


def into(call, shape, dtype):
    x, out = leaf(MATRIX), paddle.zeros(shape, dtype)
    call(x, out)
    out.sum().backward()
    return out, out.stop_gradient, x.grad


for name, call in OUT.items():
    for shape, dtype in (([2, 3], "float64"), ([4], "int32"), ([], "float32")):
        cases.add(f"{name} into {dtype} {shape}", into, call, shape, dtype)


@cases
def out_of_two():
    values, places = paddle.zeros([1]), paddle.zeros([1], "int64")
    paddle.topk(frozen(MATRIX), 1, out=(values, places))
    return values, places


@cases
def wishes():
    made = [
        paddle.ones([2], device="cpu", requires_grad=True),
        paddle.arange(3, dtype="float32", requires_grad=True),
        paddle.zeros_like(frozen(ROW), requires_grad=True),
    ]
    return [one.stop_gradient for one in made], raises(lambda: paddle.ones([2], pin_memory=True))


@cases
def both_names():
    x = frozen(ROW)
    return [
        raises(lambda: paddle.stack(x=[x], tensors=[x])),
        raises(lambda: paddle.add(x, x, unknown=1)),
        raises(lambda: paddle.var(x, unbiased=True, correction=2)),
    ]


# -- what the sweep found -----------------------------------------------------------------------------------------

for number in (2, 2.5, True):
    for dtype in ("float32", "int64"):
        cases.add(
            f"{dtype} divided down by {number}",
            lambda number, dtype: [
                function(frozen([1, 3, 5]).astype(dtype), number)
                for function in (paddle.floor_divide, paddle.remainder, paddle.mod, paddle.floor_mod)
            ],
            number,
            dtype,
        )


@cases
def running_in_place_without_an_axis():
    x, y = frozen(MATRIX) * 1, frozen([[1, 2], [3, 4]]) * 1
    return x.cumsum_(), y.cumprod_(), x, y


@cases
def medians_of_nothing():
    x = paddle.zeros([0, 3])
    return [paddle.median(x), paddle.median(x, 0), paddle.nanmedian(x), paddle.nanmedian(x, 0, keepdim=True)]


@cases
def types_of_results():
    half, whole = frozen(MATRIX).astype("float16"), frozen([[1, 2], [3, 4]]).astype("int32")
    zero = paddle.to_tensor(1.5)
    found = [
        paddle.median(half),
        paddle.ldexp(half, half),
        paddle.reduce_as(whole, whole[0]),
        paddle.ldexp(zero, zero),
    ]
    return [(str(one.dtype), one.shape) for one in found]


@cases
def every_label_ignored():
    x, label = leaf(data(1, 4)), paddle.to_tensor([1])
    loss = F.nll_loss(x, label, ignore_index=1)
    loss.backward()
    return loss, x.grad


@cases
def what_a_tensor_says_of_its_memory():
    x = frozen(MATRIX).astype("float32")
    said = [x.layout, x.is_cuda, x.offset, x.get_device(), x.itemsize, x.dense_dim(), x.sparse_dim()]
    types = [x.int8(), x.int64(), x.float16(), x.complex64()]
    return said, [str(one.dtype) for one in types], raises(x.cuda), complex(paddle.to_tensor(2 + 3j))


@cases
def memory_of_another():
    x = paddle.arange(6.0)
    y = paddle.zeros([2]).set_(x, [2, 2], [2, 1], 4)
    shown = y.clone()
    y.fill_(7.0)
    return shown, x, paddle.zeros([2]).set_().shape, paddle.arange(4.0).resize_([2, 3], fill_zero=True)


@cases
def softmax_of_another_library():
    found = [frozen(data(*shape)).softmax() for shape in ((3,), (2, 3), (2, 1, 3), (2, 1, 2, 2))]
    return found, paddle.softmax(frozen(MATRIX), 0, "float32")


@cases
def layers_without_a_bias_or_of_another_type():
    nn, x = paddle.nn, frozen(data(1, 2, 4, 4))
    layers = [
        *(
            conv(2, 3, 2, bias=False, dtype="float64", device="cpu")
            for conv in (nn.Conv1D, nn.Conv2D, nn.Conv3D)
        ),
        nn.Conv2D(2, 3, 2, bias=True, bias_attr=False),
        nn.LayerNorm([4], bias=False, dtype="float64"),
        nn.LayerNorm([4], elementwise_affine=False, weight_attr=paddle.ParamAttr()),
        nn.GroupNorm(1, 2, affine=False, device="cpu"),
        nn.GroupNorm(1, 2, dtype="float64"),
        nn.Embedding(4, 3, dtype="float64", _freeze=True),
    ]
    for layer in layers:
        for parameter in layer.parameters():
            parameter.set_value(paddle.full_like(parameter, 0.5))
    said = [[(str(p.dtype), p.shape, p.stop_gradient) for p in layer.parameters()] for layer in layers]
    elsewhere = raises(lambda: nn.Conv2D(2, 3, 2, device="gpu:0"), "not compiled with CUDA")
    return said, [layers[1](x), layers[4](x), layers[5](x), layers[6](x), layers[7](x)], elsewhere


@cases
def embedding_of_a_given_table():
    nn, table = paddle.nn, frozen(data(4, 3))
    layer = nn.Embedding(4, 3, padding_idx=1, _weight=table)
    wrong = raises(lambda: nn.Embedding(3, 3, _weight=table), "Shape of weight")
    return layer.weight is table, table, table.stop_gradient, len(layer.parameters()), wrong


@cases
def a_device_and_its_name():
    x, d = frozen(MATRIX), paddle.device
    names = [str(d(*given)) for given in (["cpu"], ["cuda:1"], ["gpu"], ["xpu", 2], [0], [paddle.CPUPlace()])]
    with d("cpu") as here:
        made = paddle.ones([1])
    wrong = [raises(lambda: d("npu"), "Unsupported device type"), raises(lambda: d(1.5), "Unsupported type")]
    wrong.append(raises(lambda: d(None, 1), "must be specified"))
    return (
        x.device == "cpu",
        repr(x.device),
        x.device.type,
        x.device.index,
        names,
        d("cuda:1").index,
        str(here),
        made,
        wrong,
    )


@cases
def tensor_is_a_function_too():
    tensor = paddle.tensor
    made = [
        tensor(1),
        tensor([1.0, 2], dtype="float64", requires_grad=True),
        tensor(frozen(MATRIX), device="cpu"),
    ]
    pinned = raises(lambda: tensor([1], pin_memory=True), "Pinning memory is not supported")
    elsewhere = raises(lambda: tensor([1], device="gpu:0"), "not compiled with CUDA")
    return made, [one.stop_gradient for one in made], pinned, elsewhere, tensor.math.add is paddle.add


@cases
def memory_that_is_shared_and_its_sum():
    x = paddle.arange(6.0)
    shared = [x._is_shared_buffer_with(other) for other in (x, x.reshape([2, 3]), x.clone())]
    return shared, x._md5sum(), paddle.to_tensor([1, 2, 3])._md5sum()


@cases
def texts_of_tensors_without_elements():
    return [
        repr(paddle.zeros(shape)) for shape in ([0], [2, 0], [0, 2], [2, 3, 0], [2, 0, 1, 2], [1, 2, 0, 3])
    ]


def _bytes_of(tensor):
    file = io.BytesIO()
    paddle.save(tensor, file, use_binary_format=True)
    content = file.getvalue()
    return (
        content.hex(),
        paddle.load(io.BytesIO(content)),
        paddle.load(io.BytesIO(content), return_numpy=True),
    )


@cases
def files_of_one_tensor():
    types = ("float32", "float64", "float16", "int64", "int32", "int16", "int8", "uint8", "bool", "complex64")
    tensors = [frozen([[1, 0, 2]], dtype) for dtype in types]
    tensors += [frozen(3.0), paddle.zeros([0, 2]), paddle.ones([300]), frozen([1.5]).astype("bfloat16")]
    wrong = [
        raises(lambda: _bytes_of([frozen(1.0)]), "expected Tensor"),
        raises(lambda: paddle.save(frozen(1.0), io.BytesIO(), use_binary_format=1), "should be bool"),
    ]
    return [_bytes_of(tensor)[:2] for tensor in tensors], _bytes_of(frozen(MATRIX))[2], wrong
