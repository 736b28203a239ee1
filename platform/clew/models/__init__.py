"""Models: the contracts for embedders and language models, and what implements them."""
