"""The folder that comes first on the path of a process which a script spawns: see minipaddle/importer.py."""
