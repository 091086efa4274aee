"""Case modules: written against `import paddle` only, so they run on real Paddle and on minipaddle unchanged.

Each module has one `cases = Family("name")`. A case takes no argument and returns arrays, numbers, strings,
refusals, nested in lists and dicts.
"""
