"""`python -m minipaddle`: the command, for the Python that is named."""

from minipaddle.tools.cli import main

if __name__ == "__main__":
    main()
