"""The search for the change that makes a wrong backward right."""
