"""paddle.io: datasets, samplers and the loader that makes batches of them.

What is here has the arguments of Paddle's own, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/io/NAME_en.html.
"""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.io.collate import default_collate_fn
from minipaddle.paddle.io.dataset import Dataset, IterableDataset, Subset, TensorDataset, random_split
from minipaddle.paddle.io.loader import DataLoader
from minipaddle.paddle.io.sampler import (
    BatchSampler,
    DistributedBatchSampler,
    RandomSampler,
    Sampler,
    SequenceSampler,
    SubsetRandomSampler,
)

__all__ = [
    "BatchSampler", "DataLoader", "Dataset",
    "DistributedBatchSampler", "IterableDataset", "RandomSampler", "Sampler", "SequenceSampler", "Subset",
    "SubsetRandomSampler", "TensorDataset", "random_split",
]  # fmt: skip
__getattr__ = front(globals(), {"worker": "WorkerInfo get_worker_info"})
