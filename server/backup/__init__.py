"""Backups: everything that cannot be folded anew from the log, as one file that any database can be made from."""
