# hint: No road leads to an operand that requires no gradient.
def roads(note):
    if note is None:
        return 1
    if note.name() == "GradNodeAccumulation":
        return 1
    return sum(roads(operand) for operand in note.next_functions)
