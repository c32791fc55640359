"""Two nodes make an invitation to a game at once: each that is kept is one that the log names."""

import json

import pytest

from events.sqlite_file import MEMORY, SqliteFile
from events.store import StoreFailed, StoreFull
from projections.kinds import decode_details
from server.callers import Believed
from server.creating import NewGame, create
from server.inviting import invite
from server.problems import Problem
from server.records import Records
from server.talk import say
from tests.integration.commands.shell import SeededRandom, Shell, TestClock
from tests.integration.nodes.test_shared_log import Nodes
from tests.integration.store_kit import settled

pytestmark = pytest.mark.anyio


class Site(Nodes):
    """Two nodes, their records, and a game that has begun to gather players."""

    def __init__(self, database):
        super().__init__()
        self.database = database
        self.records = Records(database, TestClock(), SeededRandom(b"records"), Believed(10, 1.0))

    async def begin(self):
        await self.database.open()
        new = NewGame(ruleset="tpoc", seats=["me", "open", "open"])
        self.game = json.loads(await create(self.a.games, self.a.ask("ann"), new))["game"]

    async def invite(self, node: Shell, key: str | None = None):
        return await invite(node.games, self.records, node.ask("ann", key=key), self.game)

    async def kept(self):
        return [id_ for (id_,) in await self.database.read("select id from invites")]

    async def named(self):
        events = [event for event in await self.a.events(self.game) if event.header.kind == "invited"]
        return [decode_details(event.details).id for event in events]


@pytest.fixture
async def site():
    made = Site(SqliteFile(MEMORY))
    await made.begin()
    yield made
    await made.database.close()


async def test_an_invitation_that_two_nodes_are_asked_for_with_one_key_is_kept_once_as_the_log_names_it(site):
    told = await settled(*(site.invite(node, key="one") for node in site.both))
    (made,) = [one for one in told if not isinstance(one, Problem)]
    assert [one.code for one in told if isinstance(one, Problem)] == ["already_done"]
    assert [made["id"]] == await site.kept() == await site.named()
    assert await site.records.invited(made["code"], site.game)


async def test_an_invitation_that_is_decided_again_is_kept_once_as_the_log_names_it(site):
    append = site.store.append

    async def overtaken(wanted):
        site.store.append = append
        await say(site.b.games, site.b.ask("ann"), site.game, None, "first")
        return await append(wanted)

    site.store.append = overtaken
    made = await site.invite(site.a)
    assert [made["id"]] == await site.kept() == await site.named()


@pytest.mark.parametrize(
    "fault", [StoreFull("busy"), StoreFailed("nobody knows"), Problem("rate_limited", "too many")], ids=repr
)
async def test_an_invitation_in_the_log_whose_code_could_not_be_kept_is_told_as_done_and_not_to_be_tried_again(
    site, fault, monkeypatch
):
    async def failed(*_):
        raise fault

    monkeypatch.setattr(Records, "add_invite", failed)
    with pytest.raises(Problem, match="with a new key") as told:
        await site.invite(site.a, key="one")
    assert told.value.code == "already_done"
    monkeypatch.undo()
    with pytest.raises(Problem, match="with a new key"):
        await site.invite(site.a, key="one")
    assert (await site.invite(site.a, key="two"))["code"]
