"""``paddle.distributed.launch``: a script as the one process of a job."""
