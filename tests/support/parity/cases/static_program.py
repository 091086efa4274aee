"""Section 1: programs, blocks, and which program is the current one."""

import paddle

from tests.support.parity.graph_details import details
from tests.support.parity.graphs import feed, names, types
from tests.support.parity.kit import Family, raises

cases = Family("static_program")
S = paddle.static


def empty():
    program = S.Program()
    block = program.global_block()
    return {
        "blocks": [program.num_blocks, len(program.blocks), len(block.ops), len(block.vars)],
        "seed": program.random_seed,
        "links": [block.idx, block.parent_idx, block.forward_block_idx, block.backward_block_idx],
        "vars": names(program.list_vars()),
        "parameters": names(program.all_parameters()),
    }


def the_global_block_is_one_object():
    program = S.Program()
    same = [program.block(0), program.current_block(), program.blocks[0]]
    return [block is program.global_block() for block in same] + [program.global_block().program is program]


def block_out_of_range():
    return raises(lambda: S.Program().block(5))


def random_seed():
    program = S.Program()
    program.random_seed = 7
    return [
        program.random_seed,
        raises(lambda: setattr(program, "random_seed", "a"), "integer"),
        program.random_seed,
    ]


def _two_layers():
    x = feed("x", -1, 3)
    return S.nn.fc(S.nn.fc(x, 4, activation="tanh"), 1)


def variables_in_order():
    _two_layers()
    program = S.default_main_program()
    block = program.global_block()
    return {
        "list_vars": names(program.list_vars()),
        "is_a_list": isinstance(program.list_vars(), list),
        "vars": list(block.vars),
        "parameters": names(program.all_parameters()),
        "of the block": names(block.all_parameters()),
        "ops": types(),
        "lists": [isinstance(program.all_parameters(), list), isinstance(block.ops, list)],
    }


def parameters_are_parameters():
    _two_layers()
    found = S.default_main_program().all_parameters()
    return [[type(p).__name__, p.persistable, p.stop_gradient, p.trainable] for p in found]


def var_by_name():
    x = feed("x", -1, 3)
    block = S.default_main_program().global_block()
    return {
        "var": block.var("x") is x,
        "has": [block.has_var("x"), block.has_var("y")],
        "missing": raises(lambda: block.var("nothing"), "nothing", "not in this block"),
        "not a name": raises(lambda: block.var(3)),
    }


def guard_switches_and_restores():
    before = [S.default_main_program(), S.default_startup_program()]
    main, startup = S.Program(), S.Program()
    with S.program_guard(main, startup):
        inside = [S.default_main_program() is main, S.default_startup_program() is startup]
        _two_layers()
    after = [S.default_main_program() is before[0], S.default_startup_program() is before[1]]
    return inside + after + [types(program.global_block()) for program in (*before, main, startup)]


def guard_keeps_the_startup_program():
    startup = S.default_startup_program()
    with S.program_guard(S.Program()):
        return S.default_startup_program() is startup


def guard_restores_after_an_exception():
    before = S.default_main_program()

    def fail():
        with S.program_guard(S.Program(), S.Program()):
            raise KeyError("lost")

    return [raises(fail, "lost"), S.default_main_program() is before]


def guard_nested():
    outer, inner = S.Program(), S.Program()
    with S.program_guard(outer):
        with S.program_guard(inner):
            inside = S.default_main_program() is inner
        return [inside, S.default_main_program() is outer]


def guard_wrong_types():
    def enter(*programs):
        with S.program_guard(*programs):
            pass

    return [
        raises(lambda: enter("main"), "main_program"),
        raises(lambda: enter(S.Program(), "startup"), "startup_program"),
    ]


def layers_add_to_the_guarded_program():
    main = S.Program()
    with S.program_guard(main):
        y = paddle.exp(feed("x", 2))
    return [
        types(),
        types(main.global_block()),
        y.block is main.global_block(),
        list(main.global_block().vars),
    ]


def parameters_of_a_sub_block_are_global():
    x = feed("x", -1, 3)
    flag = feed("flag", 1, dtype="bool")
    S.nn.cond(flag, lambda: S.nn.fc(x, 2), lambda: S.nn.fc(x, 2))
    program = S.default_main_program()
    return {
        "parameters": names(program.global_block().all_parameters()),
        "blocks": [names(block.all_parameters()) for block in program.blocks],
        "types": [types(block) for block in program.blocks],
        "startup": types(S.default_startup_program().global_block()),
    }


def placeholders_of_a_sub_block_are_global():
    flag = feed("flag", 1, dtype="bool")
    S.nn.cond(flag, lambda: S.data("inside", [2]) + 1, lambda: S.data("other", [2]) + 2)
    return [
        sorted(name for name in block.vars if "tmp" not in name) for block in S.default_main_program().blocks
    ]


def variables_of_all_blocks():
    x, flag = feed("x", 2), feed("flag", 1, dtype="bool")
    S.nn.cond(flag, lambda: paddle.exp(x), lambda: paddle.tanh(x))
    program = S.default_main_program()
    listed, blocks = names(program.list_vars()), [list(block.vars) for block in program.blocks]
    return [
        listed == [name for block in blocks for name in block],
        [[name for name in block if "tmp_0" in name] for block in blocks],
    ]


INITIALIZERS = {
    "Constant": lambda init: init.Constant(2.0),
    "Assign": lambda init: init.Assign([[1.0, 2.0], [3.0, 4.0]]),
    "Uniform": lambda init: init.Uniform(-0.5, 0.5),
    "XavierUniform": lambda init: init.XavierUniform(),
    "Normal": lambda init: init.Normal(0.0, 0.5),
    "XavierNormal": lambda init: init.XavierNormal(),
    "KaimingNormal": lambda init: init.KaimingNormal(),
    "KaimingUniform": lambda init: init.KaimingUniform(),
    "TruncatedNormal": lambda init: init.TruncatedNormal(),
}


def initialized(make):
    S.create_parameter([2, 2], "float32", name="w", default_initializer=make(paddle.nn.initializer))
    startup = S.default_startup_program()
    main = S.default_main_program().global_block()
    return {"startup": details(startup), "main": [sorted(main.vars), types()]}


for text, make in INITIALIZERS.items():
    cases.add(f"initializer {text}", initialized, make)


def startup_has_one_operator_for_each_parameter():
    _two_layers()
    startup = S.default_startup_program()
    return {
        "writes": [op.output_arg_names for op in startup.global_block().ops],
        "parameters": names(startup.global_block().all_parameters()),
        "listing": details(startup),
    }


def the_default_pair_without_a_guard():
    return [S.default_main_program() is S.default_main_program(), S.default_main_program() is not S.Program()]
