"""The checkers: whatever is stored, answered or sent is held against what is durable."""

import re

import msgspec

from events.digest import body as digest_of
from events.digest import chain, commitments, salt_key
from games.kernel import EVERYTHING, SPECTATOR
from projections.clock import microseconds
from projections.verify import verify
from server.ports import timestamp
from tests.simulation.agreed import Unfounded, check_agreements
from tests.simulation.front import UNSETTLED
from tests.simulation.oracle import Oracle
from tests.simulation.patches import patched

CANARY = re.compile(rb"canary\d\d")
READERS = {"spectator": SPECTATOR, "all": EVERYTHING}

#: What a message has besides the event itself.
BESIDES = frozenset(
    ("type", "reader", "view", "patch", "status", "decisions", "request", "proposal", "outcome", "clocks", "now")
)


class Violation(AssertionError):
    """Something that must never be."""


def without_text(value):
    """A label, or a list of them, without its text; all else as it is."""
    if isinstance(value, dict) and "text" in value:
        return {name: part for name, part in value.items() if name != "text"}
    return [without_text(part) for part in value] if isinstance(value, list) else value


class Judge:
    """Sees everything. Raises Violation."""

    def __init__(self, truth, catalogue, sometimes):
        self.sometimes = sometimes
        self._truth = truth
        self._rules = {name: entry.rules for name, entry in catalogue.items()}
        self._oracles = {}
        self._heads = {}
        self._keyed = {}
        self._acknowledged = {}
        self._refused = {}
        self._sound = {}
        self.appends = 0
        truth.on_append = self.appended

    def oracle(self, game):
        """What is true of a game."""
        found = self._oracles.get(game)
        if found is None:
            found = self._oracles[game] = Oracle(self._truth, game, self._rules.__getitem__)
        return found

    @property
    def games(self):
        """All games in the log."""
        return list(self._heads)

    # what is stored

    def appended(self, append, appended):
        """Positions and versions are dense, the chain goes on, and a key is used once."""
        self.appends += 1
        rows, key = self._truth.all_rows(), salt_key(self._truth._secrets[append.game])
        version, digest = self._heads.get(append.game, (0, bytes(32)))
        for n, row in enumerate(rows[-len(append.events) :], len(rows) - len(append.events) + 1):
            event = self._truth.event(row)
            version += 1
            digest = chain(digest, version, digest_of(commitments(event, key)))
            if (row[0], row[1], row[2], row[4]) != (n, append.game, version, digest):
                raise Violation(f"position {n} of the log is not version {version} of {append.game} on its chain")
        self._heads[append.game] = (version, digest)
        self._note_keys(append)

    def _note_keys(self, append):
        used = {(event.header.actor, event.header.key) for event in append.events if event.header.key is not None}
        if append.command is not None:
            used.add((append.command.scope, append.command.key))
        for one in used:
            if one in self._keyed:
                raise Violation(f"the key {one} was carried out twice: {self._keyed[one]} and {append.game}")
            self._keyed[one] = (append.game, append.expected)

    # what is answered

    def answered(self, player, request, reply, seat, *, repeated=False, clock=None):
        """A node has answered: what it says is done is durable, and the same as it said before.

        repeated: the request had been acknowledged before it was sent this time. clock: the node's.
        """
        once = (player, request.key)
        self.secrets(reply.body, request.game, seat)
        if request.do == "look":
            if not reply.code:
                self._looked(player, request.game, reply, clock)
            return
        if reply.code:
            if reply.code not in UNSETTLED and repeated:
                raise Violation(
                    f"{request.do} under {once} was acknowledged, and refused as {reply.code} when repeated"
                )
            if reply.code not in UNSETTLED:
                self._refused[once] = (reply.code, clock and microseconds(timestamp(clock.would_show())))
            return
        self.acknowledged(once, reply.body)

    def is_acknowledged(self, once):
        """Whether somebody was told that it is done."""
        return once in self._acknowledged

    def acknowledged(self, once, body):
        """An answer that says: it is durable."""
        before = self._acknowledged.setdefault(once, body)
        if before != body:
            raise Violation(f"the key {once} got two answers")
        told = msgspec.json.decode(body)
        rows = self._truth.rows(told["game"])
        if len(rows) < told["version"] or rows[told["version"] - 1][4].hex() != told["digest"]:
            raise Violation(f"{once} was acknowledged as version {told['version']} of {told['game']}: not in the log")
        kept = self._truth.commands().get(once)
        if kept is None or kept.response != body:
            raise Violation(f"{once} was acknowledged, but its answer is not kept")

    def _looked(self, player, game, reply, clock):
        told = reply.told
        self.may_be_told(player, told, clock)
        self.secrets(reply.body, game, READERS.get(told["reader"], told["reader"]), told["version"])
        version, reader = told["version"], READERS.get(told["reader"], told["reader"])
        if version > self._heads.get(game, (0, b""))[0]:
            raise Violation(f"version {version} of {game} was shown before it was durable")
        if told["view"] != self.oracle(game).view(version, reader):
            raise Violation(f"the view of version {version} of {game} is not the one of reader {reader}")

    # what is sent

    def may_be_told(self, player, told, clock):
        """Whether a node with this clock may tell a player of this version now, as this reader."""
        game, version, reader = told["game"], told["version"], READERS.get(told["reader"], told["reader"])
        oracle = self.oracle(game)
        if reader == SPECTATOR and oracle.delay_us:
            if oracle.of_age(version) > microseconds(timestamp(clock.latest)):
                raise Violation(f"version {version} of {game} was told to spectators before it was of age")
            if version < oracle.head:
                self.sometimes("a spectator was told of what others had known before")
        elif reader >= 0 and version > 0:
            lost = oracle.lost(reader, player)
            if lost is not None and version >= lost:
                raise Violation(f"version {version} of {game} was told to {player}, whose seat {reader} it is no more")

    def message(self, payload):
        """A message of the stream as a client got it, decoded; what it says of a version is what is true of it."""
        told = self._sound.get(payload)
        if told is None:
            told = self._sound[payload] = msgspec.json.decode(payload)
            if told["type"] in ("event", "snapshot", "skipped"):
                self._check_message(payload, told)
        return told

    def _check_message(self, payload, told):
        game, version, reader = told["game"], told["version"], READERS.get(told["reader"], told["reader"])
        oracle = self.oracle(game)
        if version > oracle.head:
            raise Violation(f"version {version} of {game} was told, and the log ends at {oracle.head}")
        if "view" in told and told["view"] != oracle.view(version, reader):
            raise Violation(f"the view at version {version} of {game} is not the one of reader {reader}")
        if told["type"] == "event":
            shown = {name: without_text(value) for name, value in told.items() if name not in BESIDES}
            if shown != oracle.event(version, reader, labels="labels" in shown):
                raise Violation(f"version {version} of {game} was not told to reader {reader} as it is to be told")
        if "status" in told and (told["status"], told["request"], told["proposal"]) != oracle.said(version):
            raise Violation(f"status, request or proposal are not those of version {version} of {game}")
        if "clocks" in told and version == oracle.version and told["clocks"] not in oracle.clocks(told["now"], reader):
            raise Violation(f"the clocks of version {version} of {game} are not what they are at {told['now']}")
        self.secrets(payload, game, reader, version if reader == SPECTATOR else None)

    def secrets(self, payload, game, reader, version=None):
        """No card that the reader may not know of (by a version) is in these bytes, nor the seed of a running game."""
        if not game or game not in self._heads:
            return
        oracle = self.oracle(game)
        found = set(CANARY.findall(payload))
        if found:
            oracle.fold()
            known = oracle.known(version or oracle.version, reader)
            if known is not None and (leaked := {card.decode() for card in found} - known):
                raise Violation(f"reader {reader} of {game} was told of {sorted(leaked)}")
        if self._truth._secrets[game].hex().encode() in payload:
            oracle.fold()
            if not oracle.live.meta.ended:
                raise Violation(f"the seed of {game} was told before its end")

    def patch(self, before, told):
        """The view after the patch of an event; it must be the one of that version."""
        reader = READERS.get(told["reader"], told["reader"])
        after = patched(before, told["patch"])
        if after != self.oracle(told["game"]).view(told["version"], reader):
            raise Violation(f"the patch to version {told['version']} of {told['game']} does not give the view")
        return after

    # in the end

    def log(self):
        """Every game can be verified from its first event on, and what was refused is in none."""
        for game in self.games:
            events = [self._truth.event(row) for row in self._truth.rows(game)]
            verify(self._rules[self.ruleset(game)], events, self._truth._secrets[game])
            try:
                check_agreements(events)
            except Unfounded as unfounded:
                raise Violation(str(unfounded)) from unfounded
        for once, (code, at_us) in self._refused.items():
            carried = once in self._keyed and once not in self._acknowledged
            if carried and not (code == "not_overdue" and at_us and self._began(once) > at_us):
                raise Violation(f"{once} was refused as {code}, and carried out")

    def _began(self, once):
        """By the clock of the node that carried it out, when a request was."""
        game, expected = self._keyed[once]
        return microseconds(self._truth.event(self._truth.rows(game)[expected]).header.at)

    def ruleset(self, game):
        """By which rules a game is played."""
        oracle = self.oracle(game)
        oracle.fold()
        return oracle.live.rules.id
