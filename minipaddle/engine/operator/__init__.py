"""An operator: its kernel, its rules, which of them a call runs, and the function that users call."""
