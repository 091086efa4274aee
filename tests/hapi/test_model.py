"""paddle.Model beyond the recorded cases: data of every kind, arguments and results, its progress line."""

import sys
import types
import warnings

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.hapi.callbacks.callback import Progress

X = np.arange(12, dtype="float32").reshape(6, 2) / 10
Y = (X.sum(1, keepdims=True)).astype("float32")


class Both(paddle.io.Dataset):
    """Vectors and numbers."""

    def __len__(self):
        return len(X)

    def __getitem__(self, index):
        return X[index], Y[index]


class Stream(paddle.io.IterableDataset):
    """The same, of unknown length."""

    def __iter__(self):
        yield from zip(X, Y)


def model(**specs):
    network = paddle.nn.Linear(2, 1)
    network.weight.set_value(np.ones((2, 1), "float32"))
    made = paddle.Model(network, **specs)
    made.prepare(paddle.optimizer.SGD(0.1, parameters=network.parameters()), paddle.nn.MSELoss())
    return made


@pytest.mark.parametrize(
    "data",
    [
        Both(),
        paddle.io.DataLoader(Both(), batch_size=3),
        [(X[:3], Y[:3]), (X[3:], Y[3:])],
        paddle.io.DataLoader(Stream(), batch_size=3),
    ],
    ids=["dataset", "loader", "batches", "stream"],
)
def test_batches_come_from_anywhere(data):
    made = model()
    made.fit(data, batch_size=3, verbose=0, shuffle=False)
    by_hand = model()
    for start in (0, 3):
        by_hand.train_batch([X[start : start + 3]], [Y[start : start + 3]])
    np.testing.assert_array_equal(made.network.weight.numpy(), by_hand.network.weight.numpy())
    outputs = made.predict([X[:3], X[3:]], verbose=0, stack_outputs=True)[0]
    np.testing.assert_allclose(outputs, made.network(paddle.to_tensor(X)).numpy())


def test_a_network_of_two_inputs_takes_the_first_two_of_a_batch():
    class Two(paddle.nn.Layer):
        def forward(self, a, b):
            return a - b

    made = paddle.Model(Two())
    made.prepare(loss=paddle.nn.MSELoss())
    batch = (np.ones((2, 1), "float32"), np.zeros((2, 1), "float32"), np.ones((2, 1), "float32"))
    assert made.evaluate([batch], verbose=0) == {"loss": [0.0]}
    assert made.predict([batch], verbose=0)[0][0].tolist() == [[1.0], [1.0]]


def test_evaluation_leaves_no_gradients_and_no_changes():
    made = model()
    before = made.network.weight.numpy()
    made.evaluate(Both(), verbose=0)
    made.predict(Both(), verbose=0)
    assert made.network.weight.grad is None
    np.testing.assert_array_equal(made.network.weight.numpy(), before)
    assert (made.mode, made.network.training) == ("test", False)


def test_a_model_that_is_not_ready_says_so():
    made = paddle.Model(paddle.nn.Linear(2, 1))
    with pytest.raises(AssertionError, match=r"model not ready, please call `model.prepare\(\)` first"):
        made.train_batch([X], [Y])
    with pytest.raises(TypeError, match=r"network must be a paddle\.nn\.Layer, but received int"):
        paddle.Model(3)
    with pytest.raises(ValueError, match="should be 'O0', 'O1' or 'O2'"):
        made.prepare(amp_configs="O9")
    with pytest.raises(ValueError, match=r"but \('foo',\) could not be recognized"):
        made.prepare(amp_configs={"foo": 1})


def test_an_overflow_of_the_scaled_loss_skips_the_step(monkeypatch):
    monkeypatch.setenv("FLAGS_emulate_amp", "1")
    made = model()
    optimizer = paddle.optimizer.SGD(0.1, parameters=made.parameters())
    scaling = {"level": "O1", "init_loss_scaling": 2.0**20, "dtype": "float16"}
    made.prepare(optimizer, paddle.nn.MSELoss(), amp_configs=scaling)
    before = made.network.weight.numpy()
    made.train_batch([1e3 * X], [Y])
    np.testing.assert_array_equal(made.network.weight.numpy(), before)
    assert float(made._precision._scaler._scale) == 2.0**19


def test_a_stopped_model_trains_again():
    made = model()
    epochs = []

    class Stops(paddle.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            epochs.append(epoch)
            self.model.stop_training = len(epochs) == 2

    made.fit(Both(), epochs=5, verbose=0, callbacks=[Stops()])
    made.fit(Both(), epochs=2, verbose=0, callbacks=[Stops()])
    assert epochs == [0, 1, 0, 1]


def test_num_iters_counts_training_steps():
    made = model()
    steps = []

    class Counts(paddle.callbacks.Callback):
        def on_train_batch_end(self, step, logs=None):
            steps.append(step)

    made.fit(Both(), Both(), batch_size=2, epochs=9, num_iters=4, verbose=0, callbacks=Counts())
    assert steps == [0, 1, 2, 0]


def test_what_was_saved_is_loaded(tmp_path):
    made = model()
    made.fit(Both(), verbose=0, save_dir=str(tmp_path / "runs"))
    other = model()
    other.load(str(tmp_path / "runs" / "0"))
    np.testing.assert_array_equal(other.network.weight.numpy(), made.network.weight.numpy())
    wide = paddle.Model(paddle.nn.Linear(3, 1))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        wide.load(str(tmp_path / "runs" / "final"), skip_mismatch=True)
    assert "Skip loading for weight. weight receives a shape [2, 1]" in str(said[0].message)
    np.testing.assert_array_equal(wide.network.bias.numpy(), made.network.bias.numpy())


def test_saved_for_inference(tmp_path):
    made = model(inputs=[paddle.static.InputSpec([None, 2], "float32", "x")])
    made.save(str(tmp_path / "net"), training=False)
    loaded = paddle.jit.load(str(tmp_path / "net"))
    np.testing.assert_allclose(loaded(paddle.to_tensor(X)).numpy(), made.predict_batch([X])[0])
    assert made.summary() == {"total_params": 3, "trainable_params": 3}


def test_reports_go_to_programs_that_are_installed(monkeypatch, tmp_path):
    with pytest.raises(ImportError, match="which is not installed"):
        paddle.callbacks.VisualDL(str(tmp_path))
    written = []
    board = types.SimpleNamespace(
        LogWriter=lambda path: types.SimpleNamespace(add_scalar=lambda **scalar: written.append(scalar))
    )
    monkeypatch.setitem(sys.modules, "visualdl", board)
    model().fit(Both(), batch_size=6, verbose=0, callbacks=paddle.callbacks.VisualDL(str(tmp_path)))
    assert [(scalar["tag"], scalar["step"]) for scalar in written] == [("train/loss", 1)]


def test_flops_of_a_layer_used_twice_and_of_a_users_own(capsys):
    shared = paddle.nn.Linear(4, 4)
    net = paddle.nn.Sequential(shared, paddle.nn.Flatten(), shared)
    assert paddle.flops(net, [1, 4]) == 2 * 16
    assert "Total Flops: 32     Total Params: 20" in capsys.readouterr().out

    def count(layer, inputs, output):
        layer.total_ops += 7

    assert paddle.flops(net, [1, 4], custom_ops={paddle.nn.Flatten: count}, print_detail=True) == 39
    said = capsys.readouterr().out
    assert "Customize Function has been applied to <class 'paddle.nn.layer.common.Flatten'>" in said
    assert f" {shared.full_name()} " in said
    assert not hasattr(net[1], "total_ops")
    with pytest.warns(UserWarning, match=r"must be an instance of paddle\.nn\.Layer"):
        assert paddle.flops(3, [1, 4]) == -1


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.00025, "250us"), (0.0042, "4ms"), (2.0, "2s")], ids=["us", "ms", "s"]
)
def test_a_progress_line_says_what_a_step_takes(monkeypatch, capsys, seconds, text):
    clock = iter([0.0, 4 * seconds])
    monkeypatch.setattr("minipaddle.paddle.hapi.callbacks.callback.time.perf_counter", lambda: next(clock))
    Progress(10, bar=False).show(4, [("loss", 0.00004), ("acc", np.float64(1))])
    assert capsys.readouterr().out == f"step  4/10 - loss: 4.0000e-05 - acc: 1.0000 - {text}/step\n"


def test_a_bar_covers_the_line_before(monkeypatch, capsys):
    clock = iter([0.0, 100.0, 400.0])
    monkeypatch.setattr("minipaddle.paddle.hapi.callbacks.callback.time.perf_counter", lambda: next(clock))
    progress = Progress(4, bar=True)
    progress.show(1)
    progress.show(4)
    progress.end()
    first, last = capsys.readouterr().out.split("\r")[1:]
    assert first == "step 1/4 [======>.......................] - ETA: 5:00 - 100s/step"
    assert last == f"{'step 4/4 [==============================] - 100s/step':{len(first)}}\n"
