"""Answers: what the extractive reader does to a question and its evidence, idea by idea."""
