# hint: What stood in `w.grad` before is still in it: clear it first.
def gradient(loss_of, w, parts):
    rows = sum(len(part) for part in parts)
    for part in parts:
        (loss_of(w, part) * (len(part) / rows)).backward()
    return w.grad
