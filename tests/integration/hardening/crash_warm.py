"""Imported once, by the process that servers are forked from: what every server reads and works out at its start."""

import asyncio

from server.app import create_app
from server.services import Services
from server.settings import Settings

_services = Services.open(Settings(database=":memory:"))
create_app(_services)
asyncio.run(_services.store.close())
