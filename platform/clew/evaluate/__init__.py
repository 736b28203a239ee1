"""Evaluation: the loop over conversations, what it writes down, and what the numbers mean."""
