def roads(note):
    if note is None:
        return 0
    if note.name() == "GradNodeAccumulation":
        return 1
    return sum(roads(operand) for operand in note.next_functions)
