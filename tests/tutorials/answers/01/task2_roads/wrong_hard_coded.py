# hint: A sum of several terms has a road for each of them.
def roads(note):
    return 3
