# hint: A note that you have met before lies on other roads as well: count it again.
def roads(note, met=None):
    met = [] if met is None else met
    if note is None or note in met:
        return 0
    met.append(note)
    if note.name() == "GradNodeAccumulation":
        return 1
    return sum(roads(operand, met) for operand in note.next_functions)
