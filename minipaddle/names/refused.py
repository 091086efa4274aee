"""Names of Paddle that are refused on purpose, each with one sentence: what it is, and where it works.

A name stands for all that is below it. Errors (:mod:`minipaddle.names.missing`) and ``minipaddle coverage`` say the
same sentence. What is built leaves this list.
"""

from __future__ import annotations

_NAMES = {
    "sparse tensors store only what is not zero; they work in PaddlePaddle, dense tensors hold the same numbers": """
        paddle.sparse paddle.Tensor.to_sparse_coo paddle.Tensor.to_sparse_csr
        paddle.nn.functional.sparse_attention""",
    "the torch proxy makes `import torch` mean paddle; it works in PaddlePaddle": """
        paddle.enable_compat paddle.disable_compat paddle.use_compat_guard paddle.compat.proxy
        paddle.compat.enable_torch_proxy paddle.compat.disable_torch_proxy paddle.compat.use_torch_proxy_guard
        paddle.compat.extend_torch_proxy_blocked_modules""",
    "onnx writes a model as a file for other engines; it works in PaddlePaddle with paddle2onnx": "paddle.onnx",
    "the inference engine runs saved models fast, in C++; it works in PaddlePaddle": """
        paddle.inference paddle.incubate.inference paddle.incubate.jit paddle.base.core.AnalysisConfig""",
    "static.amp rewrites Programs for mixed precision; it works in PaddlePaddle, here paddle.amp casts eager code": """
        paddle.static.amp""",
    "quantization computes with 8 bits or fewer; it works in PaddlePaddle and PaddleSlim": """
        paddle.quantization paddle.nn.quant paddle.nn.qat paddle.static.quantization""",
    "parameter servers hold parameters too many for one machine; they work in PaddlePaddle on a cluster": """
        paddle.distributed.ps paddle.distributed.entry_attr paddle.distributed.communicator
        paddle.distributed.CountFilterEntry paddle.distributed.ProbabilityEntry paddle.distributed.ShowClickEntry
        paddle.distributed.transpiler paddle.distributed.distribute_lookup_table
        paddle.distributed.fleet.runtime
        paddle.distributed.fleet.utils.ps_util paddle.incubate.fleet paddle.base.incubate paddle.base.communicator
        paddle.base.distribute_lookup_table paddle.static.nn.sparse_embedding""",
    "these datasets feed parameter servers from files, in C++; they work in PaddlePaddle on a cluster": """
        paddle.distributed.InMemoryDataset paddle.distributed.QueueDataset paddle.distributed.BoxPSDataset
        paddle.distributed.FileInstantDataset paddle.distributed.fleet.dataset
        paddle.distributed.fleet.InMemoryDataset paddle.distributed.fleet.QueueDataset
        paddle.distributed.fleet.BoxPSDataset paddle.distributed.fleet.FileInstantDataset
        paddle.distributed.fleet.DatasetBase paddle.base.dataset paddle.base.DatasetFactory
        paddle.base.InMemoryDataset paddle.base.data_feed_desc paddle.base.DataFeedDesc paddle.base.device_worker
        paddle.base.trainer_desc paddle.base.trainer_factory paddle.base.TrainerDesc""",
    "it works between several processes, in PaddlePaddle: minipaddle trains in one": """
        paddle.distributed.rpc paddle.distributed.gloo_init_parallel_env paddle.distributed.gloo_barrier
        paddle.distributed.gloo_release paddle.distributed.parallel_with_gloo paddle.distributed.sharding
        paddle.distributed.elastic paddle.distributed.fleet.elastic paddle.distributed.group_sharded_parallel
        paddle.distributed.save_group_sharded_model paddle.distributed.fleet.launch_utils
        paddle.distributed.utils paddle.distributed.cloud_utils paddle.distributed.fleet.cloud_utils
        paddle.distributed.fleet.meta_optimizers paddle.distributed.fleet.meta_parallel.PipelineLayer
        paddle.distributed.fleet.meta_parallel.LayerDesc paddle.distributed.fleet.meta_parallel.SharedLayerDesc
        paddle.distributed.fleet.meta_parallel.PipelineParallel paddle.distributed.fleet.init_coordinator
        paddle.distributed.passes paddle.incubate.distributed""",
    "HDFS keeps files on many machines; it works in PaddlePaddle with Hadoop": """
        paddle.distributed.fleet.utils.HDFSClient paddle.distributed.fleet.utils.fs""",
    "these corpora come as downloads in forms of their own; they work in PaddlePaddle": """
        paddle.text.Conll05st paddle.text.Movielens paddle.text.WMT14 paddle.text.WMT16
        paddle.text.datasets.Conll05st paddle.text.datasets.Movielens paddle.text.datasets.WMT14
        paddle.text.datasets.WMT16""",
    "readers of Paddle 1 work in PaddlePaddle; paddle.vision.datasets and paddle.text read the same files": """
        paddle.dataset.cifar paddle.dataset.conll05 paddle.dataset.flowers paddle.dataset.image paddle.dataset.imdb
        paddle.dataset.imikolov paddle.dataset.mnist paddle.dataset.movielens paddle.dataset.uci_housing
        paddle.dataset.voc2012 paddle.dataset.wmt14 paddle.dataset.wmt16""",
    "CUDA graphs replay what a GPU was told; they work in PaddlePaddle on a GPU": """
        paddle.device.cuda.graphs paddle.device.cuda.cuda_graphed_layer paddle.device.cuda.CUDAGraph
        paddle.base.core.CUDAGraph""",
    "deformable convolution reads at places it has learned; it works in PaddlePaddle": """
        paddle.vision.ops.deform_conv2d paddle.vision.ops.DeformConv2D paddle.static.nn.deform_conv2d
        paddle.static.nn.common.deformable_conv""",
    "these kernels of FlashAttention work in PaddlePaddle on a GPU; scaled_dot_product_attention is at hand": """
        paddle.nn.functional.flashmask_attention paddle.nn.functional.flash_attention_v3_varlen
        paddle.nn.functional.flash_attn_varlen_qkvpacked paddle.nn.functional.flash_attention.flash_attn_unpadded
        paddle.nn.functional.flash_attention.flashmask_attention
        paddle.nn.functional.flash_attention.flash_attn_varlen_qkvpacked
        paddle.nn.functional.flash_attention.flash_attention_v3_varlen paddle.nn.functional.flash_attn_unpadded""",
    "mixtures of experts are permuted by kernels for GPUs; they work in PaddlePaddle there": """
        paddle.nn.functional.moe_permute paddle.nn.functional.moe_unpermute""",
    "margin_cross_entropy has a kernel for GPUs only; it works in PaddlePaddle there": """
        paddle.nn.functional.margin_cross_entropy""",
    "SelectedRows are gradients with the rows that are not zero; they work in PaddlePaddle": """
        paddle.nn.clip.merge_selected_rows paddle.nn.clip.get_tensor_from_selected_rows""",
    "clips of single Variables work in PaddlePaddle's Programs; optimizers clip with grad_clip=...": """
        paddle.nn.clip.ErrorClipByValue paddle.nn.clip.BaseErrorClipAttr paddle.nn.clip.error_clip_callback
        paddle.nn.clip.set_gradient_clip paddle.nn.clip.append_gradient_clip_ops""",
    "the RNN-T loss aligns speech with text, by the library warp-transducer; it works in PaddlePaddle": """
        paddle.nn.functional.rnnt_loss paddle.nn.RNNTLoss""",
    "custom operators in C++ are compiled against PaddlePaddle and work there; in Python, use a PyLayer": """
        paddle.utils.cpp_extension""",
    "decomposition takes operators apart into primitive ones for a compiler; it works in PaddlePaddle": """
        paddle.decomposition""",
    "a trace in protobuf is read by Paddle's own tools; it works in PaddlePaddle": """
        paddle.profiler.export_protobuf paddle.profiler.load_profiler_result""",
    "passes rewrite Programs by patterns, in C++; they work in PaddlePaddle": "paddle.incubate.passes",
    "this layer belongs to a recommender or video net of old; it works in PaddlePaddle": """
        paddle.incubate.layers.batch_fc paddle.incubate.layers.correlation paddle.incubate.layers.fused_bn_add_act
        paddle.incubate.layers.fused_seqpool_cvm paddle.incubate.layers.rank_attention
        paddle.incubate.layers.search_pyramid_hash paddle.incubate.layers.tdm_sampler""",
    "this kernel serves large language models on a GPU; it works in PaddlePaddle there": """
        paddle.incubate.nn.FusedMultiTransformer paddle.incubate.nn.functional.block_multihead_attention
        paddle.incubate.nn.functional.fp8_gemm_blockwise paddle.incubate.nn.functional.fp8_quant_blockwise
        paddle.incubate.nn.functional.fused_act_dequant paddle.incubate.nn.functional.fused_multi_transformer
        paddle.incubate.nn.functional.fused_stack_transpose_quant
        paddle.incubate.nn.functional.fused_transpose_split_quant
        paddle.incubate.nn.functional.masked_multihead_attention paddle.incubate.nn.functional.moe_combine
        paddle.incubate.nn.functional.moe_gate_dispatch
        paddle.incubate.nn.functional.variable_length_memory_efficient_attention""",
    "a LoD tensor holds sequences of several lengths end to end; it works in PaddlePaddle 2, pad the sequences": """
        paddle.static.nn.sequence_concat paddle.static.nn.sequence_conv paddle.static.nn.sequence_enumerate
        paddle.static.nn.sequence_expand paddle.static.nn.sequence_expand_as
        paddle.static.nn.sequence_first_step paddle.static.nn.sequence_last_step paddle.static.nn.sequence_pad
        paddle.static.nn.sequence_pool paddle.static.nn.sequence_reshape paddle.static.nn.sequence_reverse
        paddle.static.nn.sequence_scatter paddle.static.nn.sequence_slice paddle.static.nn.sequence_softmax
        paddle.static.nn.sequence_unpad paddle.static.nn.sequence_lod paddle.base.lod_tensor
        paddle.base.create_lod_tensor paddle.base.create_random_int_lodtensor paddle.base.LoDTensorArray
        paddle.base.core.LoDTensorArray""",
    "this layer counts views and clicks for parameter servers; it works in PaddlePaddle on a cluster": """
        paddle.static.ctr_metric_bundle paddle.static.nn.ctr_metric_bundle
        paddle.static.nn.metric.ctr_metric_bundle paddle.static.nn.continuous_value_model
        paddle.static.nn.common.continuous_value_model paddle.static.nn.data_norm
        paddle.static.nn.common.data_norm""",
    "CINN compiles Programs to kernels; it works in PaddlePaddle on a GPU": """
        paddle.cinn paddle.cinn_config paddle.incubate.cc""",
    "TensorRT is NVIDIA's engine for inference; it works in PaddlePaddle on a GPU": "paddle.tensorrt",
    "an IPU is a processor by Graphcore; it works in PaddlePaddle built for IPUs": """
        paddle.static.IpuStrategy paddle.static.IpuCompiledProgram paddle.static.ipu_shard_guard
        paddle.static.set_ipu_shard paddle.base.IpuStrategy paddle.base.IpuCompiledProgram
        paddle.base.ipu_shard_guard paddle.base.set_ipu_shard""",
}

REFUSED = {name: sentence for sentence, names in _NAMES.items() for name in names.split()}
"""The sentence of each name."""


def refusal(name: str) -> str | None:
    """Return why a full name is refused, be it by the name of its module; None if it is not.

    >>> refusal("paddle.onnx.export") == refusal("paddle.onnx"), refusal("paddle.onnxy")
    (True, None)
    """
    while name and name not in REFUSED:
        name = name.rpartition(".")[0]
    return REFUSED.get(name)
