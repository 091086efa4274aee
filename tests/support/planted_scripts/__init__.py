"""The scripts of tests/checks/planted: mistakes in layers, elsewhere, and what is right."""
