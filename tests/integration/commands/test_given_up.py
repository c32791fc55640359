"""Commands that are given up after they have changed a live game, and before that is in the log: nobody sees it."""

import json
from contextlib import suppress

import pytest

from events.event import Undecodable
from projections.time_kinds import SeatOffered
from server.forking import Fork, fork
from server.making import Draft
from server.playing import resign
from server.problems import Problem
from server.seating import Join, begin_now, join
from tests.integration.commands.shell import Shell

ANN, BOB = "ann", "bob"


async def a_fork(shell):
    """(source, fork): the fork has one seat that is free; its source cannot be read any more."""
    games = shell.games
    source = await shell.create([ANN, BOB, "cat"])
    for seat, player in enumerate((ANN, BOB)):
        await resign(games, shell.ask(player), source, seat)
    async with games.game(source) as live:
        wanted = Fork(at=live.meta.started, seats=["me", "bot:random", "open"])
    forked = json.loads(await fork(games, shell.ask(ANN), source, wanted))["game"]
    return source, forked


def damage(shell, game):
    """Have nothing of a game's log be readable; what mends it again."""
    shell.games.forget(game)
    sound = shell.store.read

    async def read(wanted, *given, **named):
        if wanted == game:
            raise Undecodable("damaged")
        return await sound(wanted, *given, **named)

    shell.store.read = read
    return lambda: setattr(shell.store, "read", sound)


@pytest.mark.parametrize(
    "command",
    [
        lambda shell, game: join(shell.games, shell.ask(BOB), game, 2, Join()),
        lambda shell, game: begin_now(shell.games, shell.ask(ANN), game, "random"),
    ],
    ids=["join", "begin"],
)
async def test_the_last_seat_of_a_fork_whose_source_cannot_be_read_stays_free_for_all(command):
    shell = Shell()
    source, forked = await a_fork(shell)
    mend = damage(shell, source)
    with pytest.raises(Problem) as problem:
        await command(shell, forked)
    assert problem.value.code == "unavailable"
    async with shell.games.game(forked) as live:
        assert live.meta.seats[2].player is None
        assert live.meta.version == len(await shell.events(forked))
    mend()
    await command(shell, forked)
    assert (await shell.kinds(forked))[-2:] == ["joined", "started"]


async def given_up(shell, live):
    """A command that offers a seat, and is refused before that is in the log."""
    making = await shell.games.making(live)
    making.add(Draft(details=SeatOffered(seat=0), actor=ANN, seat=0))
    assert live.meta.seats[0].offered is not None
    raise Problem("unavailable", "Not now.")


async def refused_to_the_caller(shell, game):
    with pytest.raises(Problem):
        async with shell.games.game(game) as live:
            await given_up(shell, live)


async def refused_and_tried_otherwise(shell, game):
    async with shell.games.at_hand(game) as live:
        with suppress(Problem):
            await given_up(shell, live)


@pytest.mark.parametrize("command", [refused_to_the_caller, refused_and_tried_otherwise])
async def test_what_a_command_had_changed_when_it_was_given_up_is_seen_by_nobody(command):
    shell = Shell()
    game = await shell.create([ANN, BOB, "cat"])
    events = await shell.events(game)
    await command(shell, game)
    async with shell.games.at_hand(game) as live:
        assert live is None
    async with shell.games.game(game) as live:
        assert live.meta.seats[0].offered is None
        assert live.meta.version == len(events)
    await resign(shell.games, shell.ask(ANN), game, 0)
    assert len(await shell.events(game)) > len(events)


async def test_a_game_stays_in_memory_through_commands_that_are_done_and_through_refusals():
    shell = Shell()
    game = await shell.create([ANN, BOB, "cat"])
    async with shell.games.game(game) as live:
        first = live
    await resign(shell.games, shell.ask(ANN), game, 0)
    with pytest.raises(Problem):
        await resign(shell.games, shell.ask("zoe"), game, 0)
    async with shell.games.at_hand(game) as live:
        assert live is first
