# hint: Only the last part is left: nothing may be cleared between the parts.
def gradient(loss_of, w, parts):
    w.clear_grad()
    rows = sum(len(part) for part in parts)
    for part in parts:
        w.clear_grad()
        (loss_of(w, part) * (len(part) / rows)).backward()
    return w.grad
