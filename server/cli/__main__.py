"""`python -m server.cli` is `turnlog`."""

from server.cli import main

main()
