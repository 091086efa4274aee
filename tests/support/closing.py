"""Close the frames of a graph by their depth, for tests of the text in a closed frame."""

from minipaddle.tools.picture.model.collapse import close


def close_deeper(graph, depth):
    """Close every frame that has `depth` frames around it: 0 leaves no frame open."""
    depths = graph.depths()
    return close(graph, lambda cluster: depths[cluster.id] > depth)
