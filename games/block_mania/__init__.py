"""Block Mania. See README.md for where each rule is."""
