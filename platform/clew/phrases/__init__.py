"""What time phrases mean: calendar arithmetic, and one table of rules per family of scripts."""
