# hint: It counts the notes on the way; count the ends of the roads.
def roads(note):
    if note is None:
        return 0
    if note.name() == "GradNodeAccumulation":
        return 1
    return 1 + sum(roads(operand) for operand in note.next_functions)
