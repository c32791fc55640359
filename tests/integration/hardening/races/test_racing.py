"""Many for one version, and accept, withdraw and act for one request: the log knows one winner, the others are told."""

import asyncio
import json
from collections import Counter
from random import Random

import pytest

from projections.verify import check_chain, check_decisions
from server.problems import Problem
from server.rewinding import Answer, RewindWish, answer, rewind, withdraw
from tests.integration.commands.shell import CATALOGUE, Shell
from tests.integration.hardening.kit import problem_of, site

pytestmark = pytest.mark.slow

RACES = 500
PLAYERS = ["ann", "bob", "cat"]
#: Seat 0 to act. What it draws tells it something, so all others are asked before that is undone.
POSITION = {
    "seats": [
        {"hand": ["red", "red", "grey"], "platform": ["blue"]},
        {"hand": ["green", "blue"], "platform": ["red", "grey"]},
        {"hand": ["yellow", "green"], "platform": ["red"]},
    ],
    "deck": ["orange"] * 5,
    "bag": ["red/grey"] * 2,
}
DRAW = {"action": "draw_card_and_tile"}
PLAY = {"action": "play_card", "colour": "green", "drop": None, "accuse": None}


async def begun(at, count=3):
    """A game after its set-up: (game, token of each seat, the seat to act)."""
    tokens = [(await at.player())[1] for _ in range(count)]
    game = await at.table(tokens)
    for seat, token in enumerate(tokens):
        await at.act(game, token, seat)
    return game, tokens, (await at.told("GET", f"/v1/games/{game}"))["deciding"][0]


@pytest.mark.parametrize("clients", [20, 200])
async def test_of_many_clients_for_one_version_one_wins_and_all_others_get_what_they_missed(clients):
    async with site() as at:
        game, tokens, seat = await begun(at)
        legal, version = await at.legal(game, tokens[seat], seat), await at.version(game)

        async def race(number):
            body = {"seat": seat, "action": legal[number % len(legal)]}
            key = {"Idempotency-Key": f"client-{number}"} if number % 2 else {}
            headers = {"If-Match": f'"{version}"', "Connection": "close"} | key
            return await at.send("POST", f"/v1/games/{game}/actions", tokens[seat], body, **headers)

        answers = await asyncio.gather(*map(race, range(clients)))
        won = [one for one in answers if one.status_code == 201]
        assert len(won) == 1
        head = won[0].json()["version"]
        events = (await at.told("GET", f"/v1/games/{game}/events?after={version}&labels=false", tokens[seat]))["events"]
        for lost in (one for one in answers if one.status_code != 201):
            problem = lost.json()
            assert (lost.status_code, problem["code"], problem["version"]) == (412, "version_conflict", head)
            assert problem["detail"]
            assert [one["version"] for one in problem["missed"]] == list(range(version + 1, head + 1))
            assert [one["digest"] for one in problem["missed"]] == [one["digest"] for one in events]
            assert [one["effects"] for one in problem["missed"]] == [one["effects"] for one in events]
        assert await at.version(game) == head


async def test_of_all_seats_at_once_one_wins_and_each_of_the_others_is_told_why_as_it_may_know():
    async with site() as at:
        game, tokens, seat = await begun(at)
        action = next(one for one in await at.legal(game, tokens[seat], seat) if one["action"] == "play_secret")
        version = await at.version(game)

        async def race(number):
            body = {"seat": number % 3, "action": action}
            headers = {"If-Match": f'"{version}"', "Connection": "close"}
            return await at.send("POST", f"/v1/games/{game}/actions", tokens[number % 3], body, **headers)

        answers = await asyncio.gather(*map(race, range(30)))
        assert Counter(one.status_code for one in answers)[201] == 1
        for number, lost in enumerate(answers):
            if lost.status_code == 201:
                assert number % 3 == seat
                continue
            if lost.status_code == 409:
                assert (problem_of(lost), number % 3 != seat) == ("not_your_decision", True)
                continue
            assert problem_of(lost) == "version_conflict"
            played = next(e for e in lost.json()["missed"][0]["effects"] if e["effect"] == "secret_played")
            assert ("colour" in played) == (number % 3 == seat)


async def test_of_twenty_sockets_for_one_version_one_wins_and_the_others_get_what_they_missed():
    async with site() as at:
        game, tokens, seat = await begun(at)
        at.world.tokens["it"] = tokens[seat]
        legal, version = await at.legal(game, tokens[seat], seat), await at.version(game)
        clients = [await at.world.client("it").__aenter__() for _ in range(20)]
        told = await asyncio.gather(
            *(
                client.ask("act", id=f"act-{n}", game=game, seat=seat, action=legal[n % len(legal)], if_version=version)
                for n, client in enumerate(clients)
            )
        )
        assert Counter(one["type"] for one in told) == {"accepted": 1, "refused": 19}
        head = next(one["version"] for one in told if one["type"] == "accepted")
        for lost in (one["problem"] for one in told if one["type"] == "refused"):
            assert (lost["code"], lost["version"]) == ("version_conflict", head)
            assert [one["version"] for one in lost["missed"]] == list(range(version + 1, head + 1))


class Race:
    """One request to rewind, and three who settle it at once."""

    def __init__(self, shell, random):
        self.shell = shell
        self.random = random
        self.order = []

    async def run(self):
        """(names in the order they had their turn, name -> its problem's code or None)."""
        shell, games = self.shell, self.shell.games
        game = self.game = await shell.position(PLAYERS, POSITION)
        await shell.act(game, "ann", DRAW)
        asked = await rewind(games, shell.ask("ann"), game, RewindWish(seat=0), redo=False)
        request = json.loads(asked)["request"]["id"]
        await answer(games, shell.ask("cat"), game, request, Answer(accept=True))
        version = (await shell.store.game_head(game))[0]
        racers = {
            "accept": lambda: answer(games, shell.ask("bob"), game, request, Answer(accept=True)),
            "withdraw": lambda: withdraw(games, shell.ask("ann"), game, request),
            "act": lambda: shell.act(game, "bob", PLAY, if_version=version),
        }
        names = self.random.sample(sorted(racers), 3)
        told = await asyncio.gather(*(self._one(name, racers[name]) for name in names))
        return dict(zip(names, told, strict=True))

    async def _one(self, name, racer):
        for _ in range(self.random.randrange(4)):
            await asyncio.sleep(0)
        try:
            await racer()
        except Problem as problem:
            return problem.code
        self.order.append(name)
        return None


async def test_accept_withdraw_and_act_at_once_500_times_settle_a_request_once():
    random, settled = Random(23), Counter()
    for _ in range(RACES // 50):
        shell = Shell()
        for number in range(50):
            race = Race(shell, random)
            refused = await race.run()
            settled[tuple(race.order)] += 1
            kinds = (await shell.kinds(race.game))[6:]
            if race.order == ["accept"]:
                assert refused["withdraw"] == "not_found"
                # Before the accept a request was open; after it the cards that Bob decided on are no longer the same.
                assert refused["act"] in ("undo_open", "version_conflict", "not_your_decision")
                assert kinds[-2:] == ["undo_answered", "rewound"]
            else:
                assert race.order == ["withdraw"]
                assert refused["accept"] == "not_found"
                # The act was decided while the request was open: before or after the withdrawal it comes to nothing.
                assert refused["act"] in ("undo_open", "version_conflict")
                assert kinds[-1] == "undo_withdrawn"
            await check_log(shell, race.game, decisions=number % 5 == 0)
    assert settled.total() == RACES
    assert set(settled) == {("accept",), ("withdraw",)}
    assert min(settled.values()) > RACES // 20


async def check_log(shell, game, *, decisions):
    """The log's chain is sound (and its decisions come out again), and what is in memory is what it says."""
    events = await shell.events(game)
    assert [event.header.version for event in events] == list(range(1, len(events) + 1))
    seed = check_chain(events, await shell.store.secret(game))
    if decisions:
        check_decisions(CATALOGUE["tpoc"].rules, events, seed)
    live = await shell.state(game)
    shell.games.forget(game)
    assert await shell.state(game) == live
