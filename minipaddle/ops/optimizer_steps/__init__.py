"""Update operators: steps of optimizers on a parameter and its state."""

from minipaddle.ops.optimizer_steps import adam, sgd
