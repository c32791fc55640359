"""The bot `search:N`: information-set Monte Carlo tree search, in processes of its own (docs/adr/0009)."""
