# hint: What is paid in early grows with `w` until the end: it counts for more than 1.
def gradients(w, b, start, goal):
    kept, h = [], start
    while h < goal:
        kept.append(h)
        h = h * w + b
    dh, dw, db = 1.0, 0.0, 0.0
    for before in reversed(kept):
        dw += dh * before
        db += 1.0
        dh *= w
    return h, dw, db
