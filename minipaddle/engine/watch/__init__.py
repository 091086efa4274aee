"""Who is told what runs: a mode around another, and what its observer hears."""
