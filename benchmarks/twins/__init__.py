"""The cases once more, written by hand in NumPy, or for torch and HIPS autograd: `<case>_<engine>.py`."""
