"""Programs drawn at random, eager ones and static ones: compared with real Paddle, and a sample of the answers kept.

A program is a list of lines of Python. `eager.py` and `programs.py` draw them, from the tables `*_lines.py`;
`eager_answer.py` and `program_answer.py` run them, on either Paddle; `serve.py` does so within the real one;
`compare.py` compares, with `known.py`, the differences that docs/parity.md lists.
"""
