"""Datasets: files, or a seeded generator, read into conversations with questions."""
