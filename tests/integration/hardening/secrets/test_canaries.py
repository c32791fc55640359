"""Canaries in every hidden place, and a search of every byte that each reader ever gets, and of the server's log."""

from random import Random

import pytest

from tests.integration.hardening.secrets.tape import Reader, forms, serving, unique_pack

pytestmark = pytest.mark.slow

SCRIPT = "canaryscript"
PRIVATE_NAME = "canaryname"
PRIVATE_WORDS = "canarywords"
SEED_TEXT = "canaryseedtext"
QUERY = "canaryquery"
#: A card that is played is public, and shots use up the scripted chance, which is not to be known.
NEVER = ("play_card", "shoot")
#: What gives a seat new cards to know of, or lays them out before one other seat.
TELLING = ("take_card", "offer_trade", "add_card", "send_offer")


class Table:
    """A game of one-of-a-kind cards, its readers, and which card each of them may know of."""

    def __init__(self, port, cards):
        self.port = port
        self.readers = {name: Reader(name, port) for name in ("ada", "bob", "cyd", "sue", "spectator")}
        self.hands = [cards[:4], cards[4:8], cards[8:12]]
        self.deck = list(cards[12:])
        self.cards = cards
        self.known = {seat: set(hand) for seat, hand in enumerate(self.hands)}
        self.offer, self.to = [], None
        self.random = Random(5)
        self.acts = 0
        self.secrets = {}
        self.game = self.private = self.said = None

    def seated(self, seat):
        """Who plays a seat."""
        return self.readers[("ada", "bob", "cyd")[seat]]

    def may_know(self, name):
        """The cards that a reader may know of."""
        seats = {"ada": 0, "bob": 1, "watcher": 1, "cyd": 2}
        return self.known[seats[name]] if name in seats else set()

    async def sign_up(self):
        """Tokens of all kinds: of players, for watching, for another game, revoked, wrong."""
        for name in ("ada", "bob", "cyd", "sue"):
            told = await self.readers[name].told("POST", "/v1/players", {"name": name}, quiet=True)
            self.readers[name].token = self.secrets[f"{name}'s token"] = told["token"]
        other = await self.readers["ada"].told(
            "POST", "/v1/games", {"ruleset": "tiny", "seats": ["me", "open", "open"], "seed": SEED_TEXT}
        )
        await self.lesser("watcher", "bob", scopes=["watch"])
        await self.lesser("elsewhere", "ada", game=other["game"])
        revoked = await self.lesser("revoked", "ada")
        await self.readers["ada"].ask("DELETE", f"/v1/tokens/{revoked}")
        self.readers["wrong"] = Reader("wrong", self.port, "tl_wrong")

    async def lesser(self, name, owner, **wish):
        """A reader with a lesser token of somebody."""
        told = await self.readers[owner].told("POST", "/v1/tokens", wish, quiet=True)
        self.readers[name] = Reader(name, self.port, told["token"])
        self.secrets[f"{name}'s token"] = told["token"]
        return told["id"]

    async def begin(self, digest):
        """The game, from a position with the sealed choice of all seats; and a private one beside it."""
        state = {"hands": self.hands, "deck": self.deck, "agenda": [{"step": "choose_homes", "seats": [0, 1, 2]}]}
        scenario = {"state": state, "dice": [{SCRIPT: 1}]}
        ada = self.readers["ada"]
        new = {"ruleset": "tiny", "pack": digest, "seats": ["me", "open", "open"], "undo": "fair"}
        self.game = (await ada.told("POST", "/v1/games", new | {"scenario": scenario}))["game"]
        private = {"ruleset": "tiny", "seats": ["me", "open", "open"], "visibility": "private", "name": PRIVATE_NAME}
        self.private = (await ada.told("POST", "/v1/games", private))["game"]
        code = (await ada.told("POST", f"/v1/games/{self.private}/invites", quiet=True))["code"]
        self.secrets["invitation"] = code
        for seat in (1, 2):
            await self.seated(seat).told("POST", f"/v1/games/{self.game}/seats/{seat}", {})
            body = {"invite": code}
            await self.seated(seat).told("POST", f"/v1/games/{self.private}/seats/{seat}", body)
        told = await ada.told("POST", f"/v1/games/{self.private}/messages", {"words": PRIVATE_WORDS})
        self.said = told["version"]

    async def follow(self):
        """Everybody follows both games over sockets, in every way, from the start and from now."""
        for reader in self.readers.values():
            for updates in ("view", "patch", "effects"):
                both = [{"game": game, "after": 0, "updates": updates} for game in (self.game, self.private)]
                await reader.follow(*both)
            seats = ({"game": self.game, "seat": seat, "updates": "view"} for seat in (0, 1, 2, "all", "spectator"))
            await reader.follow(*seats)

    async def play(self, count):
        """So many legal acts, none of which shows a card to all; what each seat learns by them is written down."""
        for _ in range(count):
            told = await self.readers["spectator"].told("GET", f"/v1/games/{self.game}")
            seat = told["deciding"][0]
            legal = await self.seated(seat).told("GET", f"/v1/games/{self.game}/actions?seat={seat}")
            mine = next(one for one in legal["decisions"] if one["seat"] == seat)
            choices = [one["action"] for one in mine["actions"] if one["action"]["action"] not in NEVER]
            telling = [one for one in choices if one["action"] in TELLING or one.get("choice") == 0]
            await self.act(seat, self.random.choice(telling or choices))

    async def act(self, seat, action):
        """An act under a key, repeated by its player and by all others, who get nothing by that."""
        self.acts += 1
        body, key = {"seat": seat, "action": action}, f"canarykey-{seat}-{self.acts}"
        path = f"/v1/games/{self.game}/actions"
        first = await self.seated(seat).ask("POST", path, body, If_Match="*", Idempotency_Key=key)
        assert first.status_code == 201, first.text
        again = await self.seated(seat).ask("POST", path, body, If_Match="*", Idempotency_Key=key)
        assert again.content == first.content
        if self.acts % 5 == 0:
            for reader in self.readers.values():
                if reader is not self.seated(seat):
                    await reader.ask("POST", path, {"seat": seat, "action": {"action": "take_card"}}, If_Match="1",
                                     Idempotency_Key=f"{reader.name}-{self.acts}")  # fmt: skip
        self.learn(seat, action)

    def learn(self, seat, action):
        match action["action"]:
            case "offer_trade":
                self.offer, self.to = [], action["to"]
            case "add_card":
                self.offer.append(action["card"])
            case "send_offer":
                self.known[self.to] |= set(self.offer)
            case "take_card":
                self.known[seat].add(self.deck.pop())

    async def sweep(self, reader, *, versions):
        """Everything that can be asked, on both games."""
        for path in ("/v1/games", "/v1/results", "/v1/me", "/v1/me/decisions", "/v1/tokens", "/health/ready",
                     "/health/live", "/metrics", "/schema/openapi.json", f"/v1/games?text={QUERY}"):  # fmt: skip
            await reader.ask("GET", path)
        await reader.ask("GET", "/v1/games", Accept="application/x-ndjson")
        await self.sweep_game(reader, f"/v1/games/{self.game}", versions)
        await self.sweep_game(reader, f"/v1/games/{self.private}", ())
        for seat in range(3):
            act = {"game": self.game, "seat": seat, "action": {"action": "accept_trade"}, "if_version": 4}
            await reader.say(reader.sockets[0], type="act", id=f"stale-{seat}", **act)
        await reader.hear()

    async def sweep_game(self, reader, base, versions):
        for path in ("", "/proof", f"/messages/{self.said}", "/view", "/actions", "/events?proof=true", "/replay"):
            await reader.ask("GET", base + path)
        for seat in ("0", "1", "2", "spectator", "all"):
            for path in ("/view?", "/actions?", "/events?proof=true&", "/replay?"):
                await reader.ask("GET", f"{base}{path}seat={seat}")
        await reader.ask("GET", f"{base}/events?proof=true", Accept="application/x-ndjson")
        for version in versions:
            await reader.ask("GET", f"{base}/view?at={version}")
        await self.refusals(reader, base)

    async def refusals(self, reader, base):
        """What is refused to everybody, without a hidden word in what is asked."""
        for seat in (0, 1, 2):
            for action in ({"action": "accept_trade"}, {"action": "add_card", "card": "none"}):
                await reader.ask("POST", base + "/check", {"seat": seat, "action": action})
            await reader.ask("POST", base + "/actions", {"seat": seat, "action": action}, If_Match='"4"')
            await reader.ask("POST", base + "/undo", {"seat": seat, "to": 1}, If_Match="*")
        await reader.ask("POST", base + "/repairs", {"reason": "x", "seat": 0, "action": {"action": "take_card"}})
        await reader.ask("POST", base + "/fork", {"at": 4})
        await reader.ask("GET", base + "/view?nonsense=1")
        if reader.name != "ada":
            await reader.ask("POST", base + "/seats/1", {})
            await reader.ask("POST", base + "/invites", Idempotency_Key="taken")


@pytest.fixture
async def played(tmp_path):
    """A table after a long game that is still running; its process has written a log."""
    pack, cards = unique_pack()
    with serving(tmp_path, pack) as process:
        table = Table(process.port, cards)
        table.process = process
        await table.sign_up()
        spectator = table.readers["spectator"]
        packs = (await spectator.told("GET", "/v1/rulesets/tiny", quiet=True))["packs"]
        await table.begin(next(one["digest"] for one in packs if one["name"] == "canaries"))
        await table.follow()
        await table.play(14)
        yield table
        for reader in table.readers.values():
            await reader.close()


async def ask_to_undo(table):
    """A seat's request to rewind, which is open for all to see; then its answer."""
    base = f"/v1/games/{table.game}"
    asked = await table.readers["ada"].told("POST", base + "/undo", {"to": 6}, If_Match="*")
    for reader in table.readers.values():
        await reader.ask("GET", base + "/actions")
        await reader.ask("GET", "/v1/me/decisions")
        await reader.ask("POST", base + "/undo/none/answer", {"accept": True})
    for name in ("bob", "cyd"):
        await table.readers[name].told("POST", f"{base}/undo/{asked['request']['id']}/answer", {"accept": True})


async def test_until_the_end_no_byte_that_a_reader_gets_tells_what_it_may_not_know_and_then_all_is_told(played):
    table = played
    last = (await table.readers["spectator"].told("GET", f"/v1/games/{table.game}"))["version"]
    for reader in table.readers.values():
        await table.sweep(reader, versions=range(1, last + 1, 3))
    await ask_to_undo(table)
    for name in ("ada", "bob", "cyd", "spectator"):
        await table.sweep(table.readers[name], versions=(last + 1, last + 2))
    assert any(len(known) > 4 for known in table.known.values())  # cards were drawn or offered
    for reader in table.readers.values():
        known = table.may_know(reader.name)
        for card in table.cards:
            found = reader.finds(card.encode())
            assert card in known or not found, (reader.name, card, found[:3])
        assert not known or all(map(reader.finds, (card.encode() for card in table.hands[0] if card in known)))
        assert len(reader.tape) > 70
    check_free_text(table)
    check_log(table)
    await end(table)


def check_free_text(table):
    """What is written in words, and what opens doors."""
    members = {"ada", "bob", "cyd", "watcher"}
    seeds = [form for game in (table.game, table.private) for form in forms(table.process.seed(game))]
    for reader in table.readers.values():
        for needle in (SCRIPT, SEED_TEXT, *table.secrets.values()):
            assert not reader.finds(needle.encode()), (reader.name, needle)
        for form in seeds:
            assert not reader.finds(form), reader.name
        for seat in range(3):
            if table.seated(seat).name not in (reader.name, {"watcher": "bob"}.get(reader.name)):
                assert not reader.finds(f"canarykey-{seat}".encode()), reader.name
        for needle in (PRIVATE_NAME, PRIVATE_WORDS, table.private):
            # What is refused over a socket names the game that was asked for.
            found = reader.finds(needle.encode(), besides=b'"type":"refused"')
            assert bool(found) == (reader.name in members), (reader.name, needle)


def check_log(table):
    """The server's log has its requests, and nothing that is anybody's secret."""
    log = table.process.log
    assert log.count(b'"event":"request"') > 500
    needles = [
        *table.cards,
        SCRIPT,
        SEED_TEXT,
        QUERY,
        PRIVATE_NAME,
        PRIVATE_WORDS,
        "canarykey",
        *table.secrets.values(),
    ]
    for needle in needles:
        assert needle.encode() not in log, needle
    for game in (table.game, table.private):
        assert not any(form in log for form in forms(table.process.seed(game)))


async def end(table):
    """What was searched for in vain is there after the end, so it was looked for where it is to be found."""
    for seat in (1, 2):
        await table.seated(seat).told("POST", f"/v1/games/{table.game}/resign", {"seat": seat})
    spectator = table.readers["spectator"]
    seed = table.process.seed(table.game)
    before = len(spectator.tape)
    await table.sweep(spectator, versions=())
    del spectator.tape[:before]
    for card in table.cards:
        assert spectator.finds(card.encode())
    assert spectator.finds(seed.hex().encode())
    assert spectator.finds(SCRIPT.encode())
    for needle in (PRIVATE_NAME, PRIVATE_WORDS, SEED_TEXT, *table.secrets.values()):
        assert not spectator.finds(needle.encode())


@pytest.mark.parametrize("log_format", ["json", "console"])
async def test_the_log_of_a_fault_has_a_traceback_and_no_variables(tmp_path, log_format):
    pack, cards = unique_pack()
    with serving(tmp_path, pack, log_format, "faulty") as process:
        ada = Reader("ada", process.port)
        ada.token = (await ada.told("POST", "/v1/players", {}, quiet=True))["token"]
        scenario = {"state": {"hands": [cards[:4], cards[4:8], cards[8:12]]}, "dice": [{SCRIPT: 1}]}
        packs = (await ada.told("GET", "/v1/rulesets/tiny"))["packs"]
        digest = next(one["digest"] for one in packs if one["name"] == "canaries")
        new = {"ruleset": "tiny", "pack": digest, "seats": ["me", "me", "me"], "scenario": scenario, "seed": SEED_TEXT}
        answer = await ada.ask("POST", "/v1/games", new, Idempotency_Key="canarykey")
        assert (answer.status_code, answer.json()["code"]) == (500, "internal")
        assert b"fault with" not in answer.content
        await ada.close()
    log = process.log
    assert b"a fault with 32 bytes at hand" in log
    assert b"child.py" in log
    for needle in (*cards, SCRIPT, SEED_TEXT, "canarykey", ada.token):
        assert needle.encode() not in log, needle


async def test_a_token_in_an_address_is_not_taken_and_not_logged(tmp_path):
    pack, _ = unique_pack()
    with serving(tmp_path, pack) as process:
        ada = Reader("ada", process.port)
        ada.token = (await ada.told("POST", "/v1/players", {}, quiet=True))["token"]
        secret, ada.token = ada.token, None
        assert (await ada.ask("GET", f"/v1/me?token={secret}")).status_code == 401
        ada._url += f"?token={secret}"
        socket = await ada.follow({"game": "none"})
        assert await socket.recv() != ""
        await ada.hear()
        await ada.close()
    assert secret.encode() not in process.log
