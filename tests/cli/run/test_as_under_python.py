"""`minipaddle run` is `python script.py` with another paddle: nothing else differs."""

import pytest


@pytest.fixture
def same(start_cli, run_python):
    """Run a script both ways (it must not import paddle); compare, and return minipaddle's run."""

    def run(script, *arguments, **options):
        python = run_python(script, *arguments, **options)
        ours = start_cli("run", "--quiet", script, "--", *arguments, **options)
        assert (ours.returncode, ours.stdout, ours.stderr) == (
            python.returncode,
            python.stdout,
            python.stderr,
        )
        return ours

    return run


ENDINGS = {
    "at the last line": "print('done')",
    "sys.exit()": "import sys; sys.exit()",
    "sys.exit(0)": "import sys; sys.exit(0)",
    "sys.exit(3)": "import sys; sys.exit(3)",
    "sys.exit(-1)": "import sys; sys.exit(-1)",
    "sys.exit(True)": "import sys; sys.exit(True)",
    "sys.exit(text)": "import sys; sys.exit('bad luck')",
    "sys.exit(list)": "import sys; sys.exit([1, 2])",
    "raise": "def f(x):\n    return 1 / x\n\nf(0)",
    "raise in a library": "import json\njson.loads('{')",
    "raise from": "try:\n    {}['a']\nexcept KeyError as e:\n    raise ValueError('b') from e",
    "raise while handling": "try:\n    {}['a']\nexcept KeyError:\n    1 / 0",
    "exception group": "raise ExceptionGroup('two', [ValueError('a'), TypeError('b')])",
    "a note": "e = ValueError('a')\ne.add_note('try b')\nraise e",
    "a misspelt name, with Python's suggestion": "value = 1\nprint(vallue)",
    "a misspelt attribute, with Python's suggestion": "'x'.uper()",
    "syntax error": "x = 1\nx = = 2",
    "indentation error": "if True:\nx = 1",
    "its own excepthook": "import sys\nsys.excepthook = lambda *a: print('hook', a[0].__name__)\n1 / 0",
    "annotations that are evaluated": "def f(x: 1 + 1): pass\nprint(f.__annotations__)",
    "atexit": "import atexit\natexit.register(print, 'bye')\nraise SystemExit(4)",
    "a thread": "from threading import Timer\nTimer(0.1, print, ['late']).start()\nprint('early')",
    "a pool of threads that nobody shuts down": (
        "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(2)\n"
        "def f(x): return x\nprint(pool.submit(f, 1).result())"
    ),
    "its own stdout, over the same buffer": (
        "import io, sys\nsys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8')\nprint('梯度')"
    ),
    "its own stdout, after taking ours apart": (
        "import io, sys\nsys.stdout = io.TextIOWrapper(sys.stdout.detach(), encoding='utf-8')\nprint('梯度')"
    ),
    "stdout closed": "import sys\nprint('x')\nsys.stdout.close()",
    "stdout None": "import sys\nsys.stdout = None\nprint('x')",
    "os._exit": "import os\nos._exit(7)",
}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS.keys())
def test_every_ending_is_as_under_python(same, write_script, ending):
    same(write_script(ending))


SURROUNDINGS = """
    import os, sys
    print(sys.argv)
    print(__name__, __file__, __doc__, __package__, __spec__ and __spec__.name, __cached__)
    print(sys.modules["__main__"].__dict__ is globals(), type(__loader__).__name__)
    print(sys.path, os.getcwd())
    print(sorted(set(globals()) - {"__annotations__"}))
"""


def test_the_surroundings_are_as_under_python(same, write_script, tmp_path):
    script = write_script(SURROUNDINGS)
    same(script, "--lr", "0.1", "-o", "x.svg", "--help", "--", "训练")
    same(script.name, "a", cwd=tmp_path)


def test_a_linked_script_finds_its_neighbours(same, write_script, tmp_path):
    write_script("value = 42", "neighbour.py")
    script = write_script("import neighbour\nprint(neighbour.value)")
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.py"
    link.symlink_to(script)
    assert same(link).stdout == "42\n"


def test_it_reads_standard_input(same, write_script):
    script = write_script("import sys\nprint(input('name? '), sys.stdin.read())")
    assert same(script, input="Ada\n1\n2\n").stdout == "name? Ada 1\n2\n\n"


def test_classes_of_the_script_can_be_pickled_and_a_process_pool_works(same, write_script):
    same(
        write_script("""
        import pickle
        from concurrent.futures import ProcessPoolExecutor
        class Point: pass
        def double(x): return 2 * x
        if __name__ == "__main__":
            print(type(pickle.loads(pickle.dumps(Point()))) is Point)
            with ProcessPoolExecutor(1) as pool:
                print(list(pool.map(double, [1, 2])))
    """)
    )


def test_gbk_source_and_a_chinese_file_name(same, tmp_path):
    script = tmp_path / "训练.py"
    script.write_bytes("# -*- coding: gbk -*-\nprint('梯度', __file__)\n1 / 0  # 错误".encode("gbk"))
    assert "梯度" in same(script).stdout


def test_warnings_are_shown_as_under_python(same, write_script):
    same(write_script("import warnings\nwarnings.warn('old', DeprecationWarning)"))


def test_a_module_is_run_as_python_does(start_cli, run_python, write_script, tmp_path):
    write_script(SURROUNDINGS, "tool.py")
    python = run_python("-m", "tool", "-q", "a", cwd=tmp_path)
    ours = start_cli("run", "--quiet", "-m", "tool", "--", "-q", "a", cwd=tmp_path)
    assert (ours.returncode, ours.stdout) == (python.returncode, python.stdout)
