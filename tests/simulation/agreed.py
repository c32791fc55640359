"""Agreements and seats, read from a log anew: what was carried had its voices, and who sits down was let in."""

import msgspec

#: What moves a game: nothing of it happens while all have agreed to pause, but a rewind that all have agreed to, too.
MOVES = ("acted", "expired", "reminded", "resigned", "rewound", "undo_requested")


class Unfounded(AssertionError):
    """Something that nobody had agreed to, or somebody who was not let in."""


class Table:
    """A game as far as people agree on it, event after event."""

    def __init__(self):
        self.paused = False
        self._open = None
        self._for = []
        self._asked = []
        self._carried = None
        self._offered = {}
        self._seats = {}

    def take(self, event):
        """The next event."""
        header = event.header
        told = {} if event.details is None else msgspec.json.decode(event.details)
        carried, self._carried = self._carried, None
        try:
            self._take(header, told, carried)
        except Unfounded as unfounded:
            raise Unfounded(f"version {header.version} of {header.game}, {header.kind}: {unfounded}") from None

    def _take(self, header, told, carried):
        if carried is not None:
            _need(header.kind == carried, f"{carried} has been agreed to, and comes next")
        _need(not (self.paused and header.kind in MOVES and not told.get("request")), "the game is paused")
        match header.kind:
            case "joined":
                self._seats[told["seat"]] = [told["player"]]
            case "left":
                self._seats.pop(told["seat"])
            case "proposed" | "proposal_answered" | "proposal_withdrawn" | "proposal_expired":
                self._propose(header, told)
            case "paused" | "resumed" if told.get("seat") is None:
                self._halt(header.kind, told, carried)
            case "seat_offered":
                self._offered[told["seat"]] = told.get("to") or ""
            case "replaced":
                self._sit(told)
            case "ended":
                self._open = None

    def _propose(self, header, told):
        if header.kind == "proposed":
            _need(self._open is None, "another proposal is open")
            holders = [self._seats[seat][-1] for seat in told["own"]]
            _need(header.seat in told["own"] and len(set(holders)) == 1, "its own seats are one player's")
            self._open, self._for = told, list(told["own"])
            self._asked = list(told["asked"])
        else:
            _need(self._open is not None and told["id"] == self._open["id"], "no such proposal is open")
        if header.kind in ("proposal_withdrawn", "proposal_expired"):
            self._open = None
        elif header.kind == "proposal_answered":
            _need(header.seat in self._asked, "this seat is not asked")
            self._asked.remove(header.seat)
            self._for += [header.seat] if told["accept"] else []
        if self._open is not None and len(self._for) >= self._open["needed"]:
            self._carried = {"pause": "paused", "resume": "resumed", "abandon": "ended"}[self._open["what"]]
        elif self._open is not None and len(self._for) + len(self._asked) < self._open["needed"]:
            self._open = None

    def _halt(self, kind, told, carried):
        _need(self.paused == (kind == "resumed"), "it is so already")
        if not told.get("used_up"):
            _need(carried == kind and told["proposal"] == self._open["id"], "nobody has agreed to it")
        self.paused = kind == "paused"
        if self._open is not None and self._open["what"] in ("pause", "resume"):
            self._open = None

    def _sit(self, told):
        seat, player, held = told["seat"], told["player"], self._seats[told["seat"]]
        _need(held[-1] == told["former"], "somebody else sits there")
        elsewhere = [other for other, players in self._seats.items() if other != seat and player in players]
        if told["why"] == "offered":
            _need(self._offered.get(seat) in ("", player), "it is not offered to this player")
            _need(player not in held and not elsewhere, "who has, or had, a seat knows what another one may not")
        elif told["why"] == "returned":
            _need(player in held[:-1], "it never was this player's")
        else:
            _need(told["why"] == "expired" and player.startswith("bot:"), "nobody but a bot takes over by itself")
        held.append(player)
        self._offered.pop(seat, None)


def _need(condition, why):
    if not condition:
        raise Unfounded(why)


def check_agreements(events):
    """Raise Unfounded if anything in the log of a game was not agreed to."""
    table = Table()
    for event in events:
        table.take(event)
