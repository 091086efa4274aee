"""Running Programs. Read first: ``executor``, then ``interpreter``."""
