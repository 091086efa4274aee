# hint: What an early round gains is multiplied by `w` in each later one: carry `dh` back.
def gradients(w, b, start, goal):
    kept, h = [], start
    while h < goal:
        kept.append(h)
        h = h * w + b
    dh, dw, db = 1.0, 0.0, 0.0
    for before in reversed(kept):
        dw += dh * before
        db += dh
    return h, dw, db
