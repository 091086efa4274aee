"""The tests mirror the package; shared helpers are in `support`, and fixtures in conftest.py."""
