"""How a run begins: players sign up, make games and follow them, while nothing goes wrong yet."""

import asyncio

from server.callers import Believed
from server.creating import ME
from server.records import Records
from tests.simulation.chance import SimClock, SimRandom, stream
from tests.simulation.clients import Follower, following
from tests.simulation.front import Request
from tests.simulation.judge import Violation
from tests.simulation.players import Player
from tests.simulation.rulesets import canaries
from tests.simulation.watcher import Watcher


async def sign_up(world):
    """Players and a stranger, with their tokens."""
    database = _Quiet(world.tables)
    random = SimRandom(stream(world.options.seed, "tokens"))
    records = Records(database, SimClock(world.loop), random, Believed(10, 1.0))
    for number in range(world.options.players):
        player, token = await records.sign_up(f"player {number}", ("watch", "play"))
        world.players.append(Player(world, number, player.id, token))
    stranger, token = await records.sign_up("stranger", ("watch",))
    world.watcher = Watcher(world, stranger.id, token)


async def create_games(world):
    """Games, made by the players themselves, and who follows them."""
    world.faults = world.options.calm()
    for number in range(world.options.games):
        await _create_game(world, number)
    world.faults = world.options
    for number, player in enumerate(world.players):
        followed = [following(world.chance, game, player.seats[game]) for game in sorted(player.seats)]
        player.follower = Follower(world, f"player {number}", player.token, followed)
        player.follower.player = player
        world.followers.append(player.follower)
    watched = [following(world.chance, game, "spectator") for game in world.judge.games]
    world.followers.append(Follower(world, "spectator", None, watched))


async def _create_game(world, number):
    chance = world.chance
    tiny = chance.random() < 0.7
    seats = chance.randint(2, 3) if tiny else 3
    bots = 1 if chance.random() < 0.35 else 0
    people = chance.sample(world.players, seats - bots)
    creator = people[0]
    plans = [ME] + ["open"] * (len(people) - 1) + ["bot:random"] * bots
    body = {"ruleset": "tiny" if tiny else "tpoc", "seats": plans, "undo": chance.choice(("free", "fair", "fair"))}
    if chance.random() < world.options.clocks:
        body |= _clock(chance)
    table = stream(world.options.seed, "table", number)
    if table.random() < world.options.delays:
        body["spectator_delay_s"] = table.choice((1, 2, 5))
    if tiny:
        body |= {"pack": canaries(), "options": {"rounds": 3}}
    while world.any_node(chance) is None:  # noqa: ASYNC110 - as a client does
        await asyncio.sleep(0.05)
    reply = await creator.submit(Request(do="create", token=creator.token, body=body))
    if reply.code:
        raise Violation(f"a game could not be made: {reply.body!r}")
    game = reply.told["game"]
    creator.seats[game] = 0
    for seat, player in enumerate(people[1:], 1):
        reply = await player.submit(Request(do="join", token=player.token, game=game, body={"seat": seat}))
        if reply.code:
            raise Violation(f"a seat could not be taken: {reply.body!r}")
        player.seats[game] = seat


def _clock(chance):
    """A clock with which seats do run out of time."""
    bank = {"bank_s": chance.choice((1, 5, 20)), "increment_s": chance.choice((0, 1))}
    turn = {"move_s": chance.choice((1, 3))}
    policies = ("default", "resign", "remind", "bot", "substitute")
    policy = {"policy": chance.choice(policies), "grace_s": chance.choice((0, 1))}
    rests = {"answer_s": 3, "pause_s": 10, "vacation_s": 5}
    return {"clock": chance.choice((bank, turn)) | rests, "on_timeout": policy}


class _Quiet:
    """The shared tables without a link."""

    shared = True

    def __init__(self, tables):
        self._tables = tables

    def migrate(self, name, statements):
        self._tables.migrate(name, statements)

    async def write(self, work):
        return self._tables.write(work)
