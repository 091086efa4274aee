"""What Paddle is asked, written against `import paddle` only: it runs on real Paddle and on minipaddle unchanged.

A module has tables and helpers, and one `cases = Family("name")`. The page beside it has stories: a heading and a
script whose last line is the answer; the names of the module are there. Where Paddle is wrong, a line between the two
says what minipaddle answers. A case returns arrays, numbers, strings,
refusals, nested in lists and dicts.
"""
