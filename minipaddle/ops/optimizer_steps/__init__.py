"""What optimizers do to a parameter, and to the state that they keep for it."""

from minipaddle.ops.optimizer_steps import adam, sgd
