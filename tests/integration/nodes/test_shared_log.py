"""Two nodes on one log, without a feed between them: each judges on the newest state, whoever wrote it."""

import asyncio

import pytest
from msgspec import to_builtins

from events.feed import Moved
from events.memory import MemoryStore
from games.kernel import decisions, legal
from server.problems import Problem
from server.rewinding import RewindWish, rewind
from server.talk import say
from tests.integration.commands.shell import Shell

pytestmark = pytest.mark.anyio

PLAYERS = ("ann", "bob", "cat")


class Nodes:
    """Two shells that share a store, as two servers share PostgreSQL."""

    def __init__(self):
        self.store = MemoryStore()
        self.store.shared = True
        self.a, self.b = Shell(self.store), Shell(self.store)
        self.both = (self.a, self.b)

    async def first_legal(self, game):
        """Who owes an answer, and one that is legal."""
        async with self.a.games.game(game) as live:
            decision = next(one for one in decisions(live.state) if one.owes)
            action = to_builtins(legal(live.rules, live.state, decision.seat)[0])
            return live.meta.seats[decision.seat].player, decision.seat, action


@pytest.fixture
def nodes():
    return Nodes()


async def test_a_node_that_has_a_game_in_memory_shows_and_decides_what_another_one_wrote(nodes):
    game = await nodes.a.create(PLAYERS)
    await nodes.b.state(game)
    for turn in range(12):
        node = nodes.both[turn % 2]
        player, seat, action = await nodes.first_legal(game)
        await node.act(game, player, action, seat)
        assert await nodes.a.state(game) == await nodes.b.state(game)


def count_reads(store):
    """Count what is asked of a store from now on."""
    asked = []

    def counted(name, ask):
        async def counting(*arguments, **more):
            asked.append(name)
            return await ask(*arguments, **more)

        return counting

    for name in ("read", "command"):
        setattr(store, name, counted(name, getattr(store, name)))
    return asked


async def test_an_action_on_a_game_at_hand_asks_the_log_nothing_before_it_is_appended(nodes):
    game = await nodes.a.create(PLAYERS)
    player, seat, action = await nodes.first_legal(game)
    asked = count_reads(nodes.store)
    await nodes.a.act(game, player, action, seat, key="one")
    assert asked == []


async def test_a_game_that_another_node_is_known_to_have_moved_is_brought_up_to_date_first(nodes):
    game = await nodes.a.create(PLAYERS)
    await nodes.b.state(game)
    player, seat, action = await nodes.first_legal(game)
    version = (await nodes.a.act(game, player, action, seat))["version"]
    nodes.b.feed.announce(Moved(game, version, version, here=False))
    player, seat, action = await nodes.first_legal(game)
    appends, append = [], nodes.store.append

    async def counted(wanted):
        appends.append(wanted.expected)
        return await append(wanted)

    nodes.store.append = counted
    await nodes.b.act(game, player, action, seat)
    assert appends == [version]


async def test_what_only_an_old_state_refuses_is_done(nodes):
    """B has not heard of A's action, and by what it knows the next one is somebody else's."""
    game = await nodes.a.create(PLAYERS)
    for _ in range(12):
        await nodes.b.state(game)
        player, seat, action = await nodes.first_legal(game)
        version = (await nodes.a.act(game, player, action, seat))["version"]
        player, seat, action = await nodes.first_legal(game)
        answer = await nodes.b.act(game, player, action, seat, if_version=version)
        assert answer["version"] == version + 1


async def test_what_only_an_old_state_allows_is_refused_by_the_newest(nodes):
    game = await nodes.a.create(PLAYERS)
    await nodes.b.state(game)
    player, seat, action = await nodes.first_legal(game)
    version = len(await nodes.a.events(game))
    await nodes.a.act(game, player, action, seat)
    with pytest.raises(Problem) as refused:
        await nodes.b.act(game, player, action, seat, if_version=version)
    assert refused.value.code == "version_conflict"
    assert refused.value.members["missed"]
    assert (await nodes.a.kinds(game)).count("acted") == 1


async def test_a_repeat_on_any_node_has_the_first_answer_whatever_that_node_knows(nodes):
    game = await nodes.a.create(PLAYERS)
    await nodes.b.state(game)
    player, seat, action = await nodes.first_legal(game)
    first = await nodes.a.act(game, player, action, seat, key="once")
    for node in (*nodes.both, *nodes.both):
        assert await node.act(game, player, action, seat, key="once") == first
    with pytest.raises(Problem) as refused:
        await nodes.b.act(game, player, action, seat, key="once", request=b"another")
    assert refused.value.code == "key_reused"
    assert (await nodes.a.kinds(game)).count("acted") == 1
    assert await nodes.a.state(game) == await nodes.b.state(game)


async def test_a_rewind_on_one_node_is_the_state_of_the_other(nodes):
    game = await nodes.a.create(("ann", "ann", "ann"))
    before = await nodes.b.state(game)
    player, seat, action = await nodes.first_legal(game)
    await nodes.a.act(game, player, action, seat)
    assert await nodes.b.state(game) != before
    await rewind(nodes.a.games, nodes.a.ask("ann"), game, RewindWish(seat), redo=False)
    assert await nodes.b.state(game) == before


async def test_a_command_that_another_node_overtakes_is_decided_again_on_the_new_state(nodes):
    game = await nodes.a.create(PLAYERS)
    said = await asyncio.gather(
        *(say(node.games, node.ask(who), game, None, "hello") for node in nodes.both for who in PLAYERS)
    )
    assert len(said) == 6
    assert (await nodes.a.kinds(game)).count("said") == 6


async def test_of_two_nodes_that_are_sent_the_same_key_one_writes_and_both_give_its_answer(nodes):
    for n in range(50):
        game = await nodes.a.create(PLAYERS)
        player, seat, action = await nodes.first_legal(game)
        version = len(await nodes.a.events(game))
        answers = await asyncio.gather(
            *(node.act(game, player, action, seat, if_version=version, key=f"key-{n}") for node in nodes.both)
        )
        assert answers[0] == answers[1]
        assert (await nodes.a.kinds(game)).count("acted") == 1


async def test_of_two_nodes_that_are_sent_one_decision_exactly_one_takes_it(nodes):
    for _ in range(50):
        game = await nodes.a.create(PLAYERS)
        player, seat, action = await nodes.first_legal(game)
        version = len(await nodes.a.events(game))
        outcomes = await asyncio.gather(
            *(node.act(game, player, action, seat, if_version=version) for node in nodes.both), return_exceptions=True
        )
        refused = [one for one in outcomes if isinstance(one, Problem)]
        assert [one.code for one in refused] == ["version_conflict"]
        assert len(refused[0].members["missed"]) >= 1
        assert (await nodes.a.kinds(game)).count("acted") == 1


async def test_a_command_overtaken_again_and_again_is_told_so(nodes):
    game = await nodes.a.create(PLAYERS)
    append = nodes.store.append

    async def overtaken(wanted):
        nodes.store.append = append
        await say(nodes.b.games, nodes.b.ask("bob"), game, None, "first")
        nodes.store.append = overtaken
        return await append(wanted)

    nodes.store.append = overtaken
    with pytest.raises(Problem) as refused:
        await say(nodes.a.games, nodes.a.ask("ann"), game, None, "last")
    nodes.store.append = append
    assert refused.value.code == "version_conflict"
    assert (await nodes.a.kinds(game)).count("said") == 1 + nodes.a.games.settings.decided_again_max


def meanwhile(store, after, work):
    """Have another node do something just before the events behind a version are read the next time."""
    read = store.read

    async def overtaken(game, since=0, **more):
        if since == after or more.get("after") == after:
            store.read = read
            await work()
        return await read(game, **({"after": since} | more))

    store.read = overtaken


async def test_a_repeat_whose_twin_is_done_while_what_it_missed_is_read_is_not_refused(nodes):
    game = await nodes.a.create(PLAYERS)
    player, seat, action = await nodes.first_legal(game)
    version = len(await nodes.a.events(game))
    await say(nodes.a.games, nodes.a.ask("cat"), game, None, "hello")
    twins = []

    async def twin():
        twins.append(await nodes.a.act(game, player, action, seat, if_version=version, key="once"))

    meanwhile(nodes.store, version, twin)
    answer = await nodes.b.act(game, player, action, seat, if_version=version, key="once")
    assert twins == [answer]
    assert (await nodes.a.kinds(game)).count("acted") == 1


async def test_a_repeated_redo_whose_twin_is_done_and_played_on_from_meanwhile_is_not_refused(nodes):
    game = await nodes.a.create(("ann", "ann", "ann"))
    player, seat, action = await nodes.first_legal(game)
    await nodes.a.act(game, player, action, seat)
    await rewind(nodes.a.games, nodes.a.ask("ann"), game, RewindWish(seat), redo=False)
    async with nodes.b.games.game(game) as live:
        started = live.meta.started
    twins = []

    async def redo(node):
        return await rewind(node.games, node.ask("ann", key="once"), game, RewindWish(seat), redo=True)

    async def twin():
        twins.append(await redo(nodes.a))
        player, seat, action = await nodes.first_legal(game)
        await nodes.a.act(game, player, action, seat)

    meanwhile(nodes.store, started, twin)
    assert await redo(nodes.b) == twins[0]
    assert (await nodes.a.kinds(game)).count("rewound") == 2
