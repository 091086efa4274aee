"""The user's own rule: PyLayer, an operator whose forward and backward are written in Python."""
