"""Minipaddle against results recorded from real PaddlePaddle 3.3.1; see `docs/parity.md`."""
