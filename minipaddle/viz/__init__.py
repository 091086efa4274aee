"""Pictures of a recording: one engine-neutral graph, several writers."""
