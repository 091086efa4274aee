"""The sources of a recording: an eager run, a Program's run, the tape of a tensor. Read first: ``eager/recorder``."""
