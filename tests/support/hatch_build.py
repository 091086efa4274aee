"""What hatch does besides packing: write the stubs, for the wheel and for an editable install."""

from __future__ import annotations

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):
    """In the wheel each stub stands beside its file; an editable install finds the folder of them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the stubs; `build_data` says what the wheel has besides the package."""
        sys.path.insert(0, self.root)
        from tests.support import stubs

        stubs.write()
        if version != "editable":
            files = (file.relative_to(stubs.FOLDER) for file in stubs.FOLDER.rglob("*.pyi"))
            build_data["force_include"].update(
                {f"{stubs.FOLDER}/{file}": f"minipaddle/{file}" for file in files}
            )
