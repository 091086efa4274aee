# hint: The sign is turned round: take what lies above less what lies below.
def slope(function, at, nudge=1e-5):
    return (function(at - nudge) - function(at + nudge)) / (2 * nudge)
