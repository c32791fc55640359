"""Portland Occupied Zone: a street commune is built, then held, by one to eight characters. See README.md."""
