# hint: It does not move by `nudge`, to either side.
def slope(function, at, nudge=1e-5):
    nudge = 1e-5
    return (function(at + nudge) - function(at - nudge)) / (2 * nudge)
