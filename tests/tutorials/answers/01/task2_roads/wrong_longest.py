# hint: It gives the length of the longest road, and not how many there are.
def roads(note):
    if note is None:
        return 0
    if note.name() == "GradNodeAccumulation":
        return 1
    return 1 + max(roads(operand) for operand in note.next_functions)
