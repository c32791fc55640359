"""What the tests of backups share: a server that has something of everything, and the command line."""

import asyncio

from server.cli import run
from server.records import Grant, Replay
from server.services import Services
from server.settings import Settings
from server.simulate import SeededRandom, SteppingClock
from server.talk import say
from tests.integration.replay_kit import ANN, ended_and_running


async def fill(database):
    """A server with a game that has ended, one that runs, table talk, a player with tokens, an imported replay."""
    services = Services.open(Settings(database=database), clock=SteppingClock(), random=SeededRandom("backup"))
    await services.prepare()
    games = services.games
    ended, running = await ended_and_running(games)
    await say(games, ANN, running, None, "hello")
    ada, _ = await services.records.sign_up("Ada", ("play", "watch"))
    spare, _ = await services.records.add_token(ada.id, Grant(("watch",), game=running, seat=0, label="spare"))
    await services.records.revoke(ada.id, spare.id)
    await services.records.add_invite("invite-1", running, ada.id, 10)
    await services.records.add_replay(Replay("replay-1", ada.id, b"lines"), b"")
    await services.store.quarantine("lobby", 1, "a note")
    await services.signer.prepare()
    await services.signer.sign()
    await services.stop()
    return ended, running


async def turnlog(*arguments):
    return await asyncio.to_thread(run, [str(one) for one in arguments])  # it runs a loop of its own
