"""The tests mirror the package; what they share is in conftest.py."""
