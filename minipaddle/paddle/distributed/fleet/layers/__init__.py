"""``paddle.distributed.fleet.layers``: layers that several processes would share."""
