# hint: The slope for `w` is `h` before the round, and not after it.
def gradients(w, b, start, goal):
    kept, h = [], start
    while h < goal:
        h = h * w + b
        kept.append(h)
    dh, dw, db = 1.0, 0.0, 0.0
    for before in reversed(kept):
        dw += dh * before
        db += dh
        dh *= w
    return h, dw, db
