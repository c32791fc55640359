"""Downloads within a card text: which card, where to, then it is announced like any other (4.4.6, 4.6)."""

from games.host_tournament import ops
from games.host_tournament.announcing import announce
from games.host_tournament.asking import Asking
from games.host_tournament.cards import Card
from games.host_tournament.downloads import offers, ways, zones_of
from games.host_tournament.effects.plays import CardAnnounced
from games.host_tournament.frame import Frame
from games.host_tournament.state import State
from games.host_tournament.steps.ops import CardChoice, Do
from games.kernel import Table


def download(table: Table[State], text: Do, op: ops.Download, asking: Asking) -> None:
    """Ask what may be asked, and announce; nothing legal: nothing happens."""
    state, frame = table.state, text.frame
    if not asking.answers and not offers(state, frame, op):
        return
    name, zone = op.card, text.zone
    if not name or zone is None:
        chosen = asking.ask(CardChoice(seat=frame.you, kind="download", zone="deck", open=False))
        name, zone = chosen[0], chosen[1] if len(chosen) > 1 else None
    card = state.book.cards[name]
    found = ways(state, frame, card)
    zones = zones_of(state, frame.you, name)
    if not found or not zones:
        return
    target, old = found[0]
    if len(found) > 1:
        kind = "place" if card.at_place else "play" if card.type == "equipment" else "town"
        named = tuple(way[0] or "" for way in found)
        target = asking.ask(CardChoice(seat=frame.you, kind="download_target", zone=kind, offer=named))[0]
    zone = zone if zone in zones else zones[0]
    announce(table, played(state, frame, card, target, zone, old))


def played(  # noqa: PLR0913, PLR0917
    state: State, frame: Frame, card: Card, target: str | None, zone: str, old: str | None, *, special: bool = False
) -> CardAnnounced:
    """The announcement of a downloaded card."""
    here = state.look.where(target) if card.type == "equipment" and target else target if card.at_place else None
    return CardAnnounced(
        seat=frame.you,
        card=state.new_name(card.id),
        target=target,
        zone=zone,
        kind=card.type,
        rule=card.play[0] if card.play is not None else -1,
        here=here,
        replace=old,
        special=special,
    )
