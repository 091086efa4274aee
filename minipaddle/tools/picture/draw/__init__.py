"""Writers of a graph: DOT and JSON; the layout of a picture. Read next: ``dot``."""
