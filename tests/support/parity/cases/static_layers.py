"""paddle.static: settings of strategies."""

from tests.support.parity.graphs import S
from tests.support.parity.kit import Family

cases = Family("static_layers")


def settings_of_strategies():
    def settings(strategy):
        names = [name for name in dir(strategy) if name[0] != "_" and name != "mkldnn_enabled_op_types"]
        return {
            name: value
            for name in names
            if isinstance(value := getattr(strategy, name), (bool, int, str, list))
        }

    build = S.BuildStrategy()
    kinds = [str(build.reduce_strategy), str(build.gradient_scale_strategy), build.memory_optimize]
    build.reduce_strategy = S.BuildStrategy.ReduceStrategy.Reduce
    return settings(S.BuildStrategy()), settings(S.ExecutionStrategy()), kinds, str(build.reduce_strategy)
