# hint: Each doubling has twice as many roads as the one before.
def roads(note):
    count = 1
    while note.name() != "GradNodeAccumulation":
        count += sum(one is not None for one in note.next_functions) - 1
        note = note.next_functions[0]
    return count
