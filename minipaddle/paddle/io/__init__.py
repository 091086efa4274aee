"""paddle.io: datasets, samplers and the loader that makes batches of them."""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.io.dataset import default_collate_fn

__getattr__ = front(
    globals(),
    {
        "dataset": "Dataset IterableDataset Subset TensorDataset random_split",
        "loader": "DataLoader",
        "sampler": "BatchSampler DistributedBatchSampler RandomSampler Sampler SequenceSampler SubsetRandomSampler",
        "worker": "WorkerInfo get_worker_info",
    },
)
