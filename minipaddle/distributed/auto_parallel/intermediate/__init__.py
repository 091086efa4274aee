"""``paddle.distributed.auto_parallel.intermediate``: plans by the names of layers."""
