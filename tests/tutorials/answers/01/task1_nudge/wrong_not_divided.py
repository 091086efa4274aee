# hint: The difference has to be divided by the distance of the two places.
def slope(function, at, nudge=1e-5):
    return function(at + nudge) - function(at - nudge)
