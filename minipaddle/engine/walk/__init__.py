"""The reverse walk, `backward`, which stores its gradients, and the hooks on the way."""
