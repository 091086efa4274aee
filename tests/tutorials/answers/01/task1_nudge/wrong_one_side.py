# hint: A nudge to one side only is less exact: go to both sides.
def slope(function, at, nudge=1e-5):
    return (function(at + nudge) - function(at)) / nudge
