"""Paper: the tables of papers again, the published cells and ours apart but side by side."""
