"""Where a recording comes from: an eager run, the run of a Program, the tape of a tensor in hand."""
