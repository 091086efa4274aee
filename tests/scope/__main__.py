"""Print the files that lose a name, and the names: ``python -m tests.scope``; ``write`` writes lost.tsv."""

import sys

from tests.support.scope import WANTED, losses, usage, write

if sys.argv[1:] == ["write"]:
    write()
lost = losses()
for one in lost:
    print(one.file, one.names, one.reason or "(no row in refused.txt)", sep="\t")
print(f"{len(usage()) - len(lost)} of {len(usage())} files find all their names; at least {WANTED} are to")
