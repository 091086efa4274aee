"""Why one value is what it is: formula, numbers put in, sentences, causes."""
