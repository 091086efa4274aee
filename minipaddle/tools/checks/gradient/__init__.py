"""The gradient check: computed gradients compared with the true ones. Read first: ``check``."""
