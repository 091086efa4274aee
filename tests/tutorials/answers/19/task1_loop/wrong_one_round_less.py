# hint: One round is missing: the loop goes on until `goal` is reached.
def gradients(w, b, start, goal):
    kept, h = [], start
    while h * w + b < goal:
        kept.append(h)
        h = h * w + b
    dh, dw, db = 1.0, 0.0, 0.0
    for before in reversed(kept):
        dw += dh * before
        db += dh
        dh *= w
    return h, dw, db
