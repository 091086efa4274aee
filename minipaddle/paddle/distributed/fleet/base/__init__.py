"""``paddle.distributed.fleet.base``: strategies, roles and the topology of a job."""
