"""The commands of the prompt, one file for each group in which `help` lists them."""
