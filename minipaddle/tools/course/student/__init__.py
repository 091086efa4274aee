"""A student's file in a process of its own: what runs there, and what it is kept from."""
