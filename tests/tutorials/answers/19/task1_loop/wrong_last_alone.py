# hint: That is the last round alone: `w` is used in every round.
def gradients(w, b, start, goal):
    kept, h = [], start
    while h < goal:
        kept.append(h)
        h = h * w + b
    dh, dw, db = 1.0, 0.0, 0.0
    for before in reversed(kept):
        dw = dw or dh * before
        db += dh
        dh *= w
    return h, dw, db
