"""Figures: pictures of made tables, one style, with the points they show as CSV beside them."""
