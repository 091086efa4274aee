"""What is timed: scripts written against `import paddle`, run unchanged on real Paddle and on minipaddle.

Each has `setup()`, which returns a step function without arguments; the step returns the value to compare
(a loss, or a gradient where nothing is trained), so that speed is never bought by computing something else.
"""
