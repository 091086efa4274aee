"""Second, quicker ways of what the rooms beside this one say readably; tests compare the two."""
