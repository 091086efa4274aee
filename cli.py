"""A thin door for a checkout: `python cli.py graph script.py` does what the installed `minipaddle` does."""

from minipaddle.tools.cli import main

if __name__ == "__main__":
    main()
