"""The operators, one file per family. Every operator is defined once: kernel, shape rule, gradient rules."""
