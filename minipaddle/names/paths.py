"""Import paths of Paddle's own files: ``paddle.tensor.math.add`` is ``paddle.add``.

Scripts import a name from the file in which Paddle has it. Our files are others; a table says for each of Paddle's
in which of our modules its names are. A file that we lack becomes a module when somebody asks for it, and takes every
name from there, too; files that we have look there for what they lack (:mod:`minipaddle.names.missing`).
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from minipaddle.names.public import paddle_name

_FILES = {
    "namespace linalg framework.tensor_array": """
        tensor tensor.array tensor.attribute tensor.creation tensor.linalg tensor.logic tensor.manipulation tensor.math
        tensor.ops tensor.random tensor.search tensor.stat tensor.to_string""",
    "nn": """
        nn.layer nn.layer.activation nn.layer.common nn.layer.container nn.layer.conv nn.layer.distance nn.layer.layers
        nn.layer.loss nn.layer.norm nn.layer.pooling nn.layer.rnn nn.layer.transformer nn.layer.vision nn.loss
        nn.decode nn.modules nn.modules.container nn.modules.module""",
    "nn.functional": """
        nn.functional.activation nn.functional.common nn.functional.conv nn.functional.distance
        nn.functional.extension nn.functional.input nn.functional.loss
        nn.functional.norm nn.functional.pooling nn.functional.transformer nn.functional.vision""",
    "nn.initializer": """
        nn.initializer.assign nn.initializer.bilinear nn.initializer.constant nn.initializer.dirac
        nn.initializer.initializer nn.initializer.kaiming nn.initializer.lazy_init nn.initializer.normal
        nn.initializer.orthogonal nn.initializer.uniform nn.initializer.xavier""",
    "nn.utils": "nn.utils.spectral_norm_hook nn.utils.transform_parameters nn.utils.weight_norm_hook",
    "autograd": "autograd.autograd autograd.backward_mode autograd.py_layer",
    "amp": "amp.amp_lists amp.debugging amp.grad_scaler",
    "distribution": """
        distribution.bernoulli distribution.beta distribution.binomial distribution.categorical distribution.cauchy
        distribution.chi2 distribution.constraint distribution.continuous_bernoulli distribution.dirichlet
        distribution.exponential distribution.exponential_family distribution.gamma distribution.geometric
        distribution.gumbel distribution.independent distribution.kl distribution.laplace distribution.lkj_cholesky
        distribution.lognormal distribution.multinomial distribution.multivariate_normal distribution.normal
        distribution.poisson distribution.student_t distribution.transform distribution.transformed_distribution
        distribution.uniform distribution.variable""",
    "io": """
        io.dataloader io.dataloader.batch_sampler io.dataloader.dataset io.dataloader.sampler
        io.dataloader.worker io.reader""",
    "io.collate": "io.dataloader.collate",
    "distributed": """
        distributed.auto_parallel.interface distributed.auto_parallel.local_map
        distributed.auto_parallel.intermediate.context_parallel distributed.auto_parallel.intermediate.tensor_parallel
        distributed.auto_parallel.intermediate.pipeline_parallel distributed.checkpoint""",
    "distributed.fleet": "distributed.fleet.model distributed.fleet.optimizer distributed.fleet.scaler",
    "metric": "metric.metrics",
    "optimizer": """
        optimizer.adadelta optimizer.adagrad optimizer.adam optimizer.adamax optimizer.adamw optimizer.asgd
        optimizer.lamb optimizer.lbfgs optimizer.momentum optimizer.nadam optimizer.optimizer optimizer.radam
        optimizer.rmsprop optimizer.rprop optimizer.sgd""",
    "namespace base.framework": "framework",
    "namespace": """
        base.core framework.dtype framework.framework framework.io framework.io_utils framework.random
        hapi.dynamic_flops hapi.model hapi.model_summary""",
    "incubate.autograd": """
        incubate.autograd.functional incubate.autograd.primapi incubate.autograd.primx incubate.autograd.utils""",
    "incubate.asp": "incubate.asp.asp incubate.asp.utils",
    "incubate": """
        incubate.asp incubate.autotune incubate.framework incubate.layers incubate.nn incubate.operators
        incubate.operators.graph_khop_sampler incubate.operators.graph_reindex incubate.operators.graph_send_recv
        incubate.operators.graph_sample_neighbors incubate.operators.softmax_mask_fuse incubate.tensor
        incubate.tensor.math incubate.nn.loss""",
    "jit": "jit.api jit.translated_layer",
    "geometric": """
        geometric.math geometric.message_passing geometric.message_passing.send_recv geometric.reindex
        geometric.sampling geometric.sampling.neighbors""",
    "profiler": "profiler.utils",
    "audio.backends": "audio.backends.backend",
    "utils": "utils.dlpack utils.download utils.install_check utils.layers_utils utils.lazy_import",
    "static namespace": "base.framework pir pir.core",
    "static namespace base.core base.data_feeder": "base",
    "": """
        base.data_feeder base.dygraph base.dygraph.base base.layer_helper base.layers base.reader
        base.wrapped_decorator""",
    "base.layer_helper": "base.layer_helper_base",
    "base.reader": "base.io",
    "utils.unique_name": "base.unique_name",
    "base.log_helper": "base.log_helper static.log_helper",
    "static": "base.backward base.compiler base.executor static.input",
    "static static.files.state": "static.io",
    "static static.nn static.control_flow.while_block static.control_flow.assertion": "static.nn.control_flow",
    "static static.nn": """
        static.nn.common static.nn.loss static.nn.metric""",
    "framework static.build.weight_norm": "base.param_attr",
}
"""Where the names are, the first that has one counts, and the import paths."""

FRONTS = {path: fronts.split() for fronts, paths in _FILES.items() for path in paths.split()}


def found(module: str, name: str) -> Any:
    """Return what Paddle has as `name` in its file that goes by our name `module`.

    Raises:
        AttributeError: there is nothing here that goes by this path.
    """
    path = f"{module}.{name}"
    if path.partition(".")[2] in FRONTS:
        return import_module(path)
    for front in _fronts(module):
        if name in _offered(front) and not isinstance(value := getattr(front, name), ModuleType):
            return value
    raise AttributeError(path)


def offered(module: str) -> list[str]:
    """List the names that a file of Paddle's has by the table, sorted."""
    names = {(front, name) for front in _fronts(module) for name in _offered(front)}
    return sorted({name for front, name in names if not isinstance(getattr(front, name), ModuleType)})


def _fronts(module: str) -> list[ModuleType]:
    return [import_module(f"minipaddle.{front}") for front in FRONTS.get(module.partition(".")[2], ())]


def _offered(module: ModuleType) -> Collection[str]:
    listed: Collection[str] = vars(module).get("__all__", vars(module))
    return listed


class _Finder(MetaPathFinder, Loader):
    """Asked when no file goes by the name: makes a module of each path in the table."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        root, _, rest = fullname.partition(".")
        return (
            ModuleSpec(fullname, self, is_package=True) if root == "minipaddle" and rest in FRONTS else None
        )

    def exec_module(self, module: ModuleType) -> None:
        from minipaddle.names.missing import missing

        name = module.__name__
        otherwise = missing(name, ())

        def getattr_of_module(asked: str) -> Any:
            return offered(name) if asked == "__all__" else otherwise(asked)

        vars(module)["__getattr__"] = getattr_of_module
        module.__doc__ = f"Paddle's file {paddle_name(name)}; its names have other places here."


def install() -> None:
    """Let Python's import find the paths of the table, after its own finders."""
    sys.meta_path.append(_Finder())
