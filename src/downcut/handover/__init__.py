"""Lands handed to programs: at their sizes, in their files, with the numbers to type."""
