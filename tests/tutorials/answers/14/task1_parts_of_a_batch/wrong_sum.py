# hint: The gradients are added as they are: the mean over all rows is smaller.
def gradient(loss_of, w, parts):
    w.clear_grad()
    sum(len(part) for part in parts)
    for part in parts:
        (loss_of(w, part) * 1.0).backward()
    return w.grad
