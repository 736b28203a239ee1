"""What time phrases mean: calendar arithmetic, and rules per language; `clew.when` reads with them."""
