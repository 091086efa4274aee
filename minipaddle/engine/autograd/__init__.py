"""The reverse walk, Tensor, hooks, PyLayer; what users find of it is in minipaddle/paddle/autograd."""
