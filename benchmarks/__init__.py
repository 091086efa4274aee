"""How fast minipaddle is, against real Paddle, torch, HIPS autograd and hand-written NumPy. See README.md."""
