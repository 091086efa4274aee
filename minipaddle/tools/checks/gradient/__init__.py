"""The gradient check: what backward computed beside what is right; `check` is where to begin reading."""
