"""The tools: they record, draw, explain, check, debug and teach, and run a script on minipaddle."""
