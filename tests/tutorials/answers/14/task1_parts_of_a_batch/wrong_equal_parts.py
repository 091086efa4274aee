# hint: A part of two rows counts as much as one of nine: weigh each part by its rows.
def gradient(loss_of, w, parts):
    w.clear_grad()
    sum(len(part) for part in parts)
    for part in parts:
        (loss_of(w, part) * (1 / len(parts))).backward()
    return w.grad
