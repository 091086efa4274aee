# hint: The two places are two nudges apart: divide by `2 * nudge`.
def slope(function, at, nudge=1e-5):
    return (function(at + nudge) - function(at - nudge)) / nudge
