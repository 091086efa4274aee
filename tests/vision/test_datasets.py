"""Data sets of images, read from local files; what is not there is not downloaded."""

import gzip
import io
import struct
import tarfile

import numpy as np
import pytest

from minipaddle import paddle

D = paddle.vision.datasets
rng = np.random.default_rng(0)


def mnist_files(folder, images, labels):
    """Write files as MNIST has them."""
    paths = [str(folder / "images.gz"), str(folder / "labels.gz")]
    with gzip.open(paths[0], "wb") as file:
        file.write(struct.pack(">IIII", 2051, *images.shape) + images.tobytes())
    with gzip.open(paths[1], "wb") as file:
        file.write(struct.pack(">II", 2049, len(labels)) + bytes(labels))
    return paths


IMAGES = rng.integers(0, 256, (5, 28, 28)).astype("uint8")


def test_mnist_is_read(tmp_path):
    data = D.MNIST(*mnist_files(tmp_path, IMAGES, [3, 1, 4, 1, 5]), mode="test", backend="cv2")
    image, label = data[2]
    assert len(data) == 5
    assert (image.dtype, image.shape, label.dtype, label.tolist()) == (np.float32, (28, 28), np.int64, [4])
    assert np.array_equal(image, IMAGES[2])
    assert (data.images[1].shape, data.labels[1].tolist()) == ((784,), [1])


def test_what_a_network_is_given_does_not_depend_on_pil(tmp_path):
    paths = mnist_files(tmp_path, IMAGES, [0] * 5)
    T = paddle.vision.transforms
    usual = D.MNIST(*paths, transform=T.Normalize(mean=[127.5], std=[127.5], data_format="CHW"))
    np.testing.assert_allclose(usual[0][0], (IMAGES[:1] - 127.5) / 127.5, rtol=1e-6)
    between = D.MNIST(*paths, transform=T.ToTensor())[0][0]
    assert between.shape == [1, 28, 28]
    np.testing.assert_allclose(between.numpy()[0], IMAGES[0] / 255, rtol=1e-6)


def python2_pickle(data, labels, key):
    """The bytes of one of CIFAR's pickles, as Python 2 wrote them: no pickle of today looks like that."""
    rows, columns = data.shape
    raw = data.tobytes()
    return b"".join(
        [
            b"\x80\x02}(U\x04datacnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\nK\x00\x85U\x01btR",
            b"(K\x01K"
            + bytes([rows])
            + b"M"
            + struct.pack("<H", columns)
            + b"\x86cnumpy\ndtype\n(U\x02u1K\x00K\x01tR",
            b"(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89T"
            + struct.pack("<I", len(raw))
            + raw,
            b"tbU"
            + bytes([len(key)])
            + key
            + b"]("
            + b"".join(b"K" + bytes([one]) for one in labels)
            + b"eu.",
        ]
    )


@pytest.mark.parametrize(
    ("name", "key", "member"), [("Cifar10", b"labels", "data_batch_1"), ("Cifar100", b"fine_labels", "train")]
)
def test_cifar_is_read_and_not_run(tmp_path, name, key, member):
    pixels = rng.integers(0, 256, (3, 3072)).astype("uint8")
    path = tmp_path / "cifar.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        content = python2_pickle(pixels, [7, 0, 9], key)
        info = tarfile.TarInfo(f"cifar/{member}")
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    data = getattr(D, name)(str(path), backend="cv2")
    image, label = data[2]
    assert len(data) == 3
    assert (image.shape, image.dtype, int(label), label.shape) == ((32, 32, 3), np.float32, 9, ())
    assert np.array_equal(image, pixels[2].reshape(3, 32, 32).transpose(1, 2, 0))
    assert len(getattr(D, name)(str(path), mode="test")) == 0


def test_the_files_of_folders_are_images(tmp_path):
    for name in ("cat/b/1.npy", "cat/2.npy", "cat/notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        np.save(tmp_path / name, np.full(2, len(name))) if name.endswith("npy") else (
            tmp_path / name
        ).write_text("")
    data = D.ImageFolder(str(tmp_path), np.load, [".NPY"], transform=lambda x: x + 1)
    assert [one[0].tolist() for one in (data[0], data[1])] == [[10, 10], [12, 12]]
    assert len(data) == 2
    flat = D.ImageFolder(str(tmp_path), np.load, is_valid_file=lambda path: path.endswith("1.npy"))
    assert [one[0].tolist() for one in (flat[0],)] == [[11, 11]]
    with pytest.raises(RuntimeError, match="Found 0"):
        D.ImageFolder(str(tmp_path))


def test_what_is_not_there_is_not_downloaded(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MINIPADDLE_STAND_IN", raising=False)
    for kind in (D.MNIST, D.FashionMNIST, D.Cifar10, D.Cifar100):
        with pytest.raises(RuntimeError, match=r"downloads nothing: fetch http.* MINIPADDLE_STAND_IN=1"):
            kind()
    with pytest.raises(AssertionError, match="downloading automatically is disabled"):
        D.MNIST(download=False)


def test_made_up_examples_stand_in_where_they_are_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MINIPADDLE_STAND_IN", "1")
    for kind, shape in ((D.MNIST, (28, 28)), (D.Cifar100, (32, 32, 3))):
        with pytest.warns(UserWarning, match="made-up examples stand in for http"):
            data = kind(mode="train", backend="cv2")
        assert data[0][0].shape == shape
        assert len({data[number][1].item() for number in range(20)}) >= 10


def test_modes_and_backends_are_checked():
    with pytest.raises(AssertionError, match="mode should be 'train' or 'test', but got all"):
        D.MNIST(mode="all")
    with pytest.raises(ValueError, match="Expected backend"):
        D.Cifar10(backend="tensor")
