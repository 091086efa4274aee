"""Minipaddle against results recorded from real PaddlePaddle 3.3.1; `docs/parity.md` says how it is judged."""
