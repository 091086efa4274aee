"""The tools: what records, draws, explains, checks, debugs, teaches, and runs a script on minipaddle."""
