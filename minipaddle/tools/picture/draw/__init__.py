"""Writers of a graph: DOT, SVG, Mermaid, JSON; engines that lay it out."""
