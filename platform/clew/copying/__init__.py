"""Copying a run whose memories are to lie elsewhere: read run.py first, then memory.py."""
