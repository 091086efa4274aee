"""Writers of a graph: DOT, JSON; engines that lay it out."""
