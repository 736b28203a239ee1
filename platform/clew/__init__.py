"""Clew: a research platform for the long-term memory of LLM agents."""

__version__ = "0.1.0"
