"""What the debugger says in Chinese, by the English sentence."""

CHINESE: dict[str, str] = {}
