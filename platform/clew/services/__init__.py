"""Real servers for machines without Docker, fetched and run on the user's own account."""
