"""Recurrent networks as one operator: cells over time, in layers and directions."""
