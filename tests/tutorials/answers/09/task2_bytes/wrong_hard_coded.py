# hint: That is not what the network keeps.
def kept(rows, width, layers):
    return 960
