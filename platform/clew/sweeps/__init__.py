"""Sweeps: many runs from one command, each in a process of its own, and what became of them."""
