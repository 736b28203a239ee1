"""The layers of Mandol's abstract memory (§3.1.2): events in chains, entities, preferences."""
