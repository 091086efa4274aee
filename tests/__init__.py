"""The tests mirror the package; what they share is in `support`, and fixtures in conftest.py."""
