"""What Paddle is asked, written against `import paddle` only: it runs on real Paddle and on minipaddle unchanged.

A page has stories: a heading and a script whose last line is the answer. Where Paddle is wrong, a line between the two
says what minipaddle answers. A module beside it has helpers, and one `cases = Family("name")` that it adds rows of
tables to; the tables are on the page, and the stories know the names of the module. A case returns arrays, numbers,
strings, refusals, nested in lists and dicts.
"""
