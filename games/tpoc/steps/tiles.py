"""What a drawn or kept tile does, and the answers it asks for (specification, 4.2, 4.6 and 4.7)."""

from typing import Annotated, ClassVar

from games.kernel import Public, Step, Table, secret_to
from games.tpoc.codes import colour_of, is_leader, is_villager
from games.tpoc.effects import (
    ChefDrawn,
    ChefFinished,
    LeaderAbstained,
    LeaderEndorsed,
    LeaderLeft,
    LeaderMoved,
    LeaderStayed,
    PlatformCardLost,
    TilePlaced,
)
from games.tpoc.leaders import rule
from games.tpoc.state import State


class ResolveTile(Step, frozen=True):
    """The tile drawn or kept by `seat` takes effect."""

    seat: Public[int]

    def run(self, table: Table[State]) -> None:
        """A villager joins the board, a leader is judged, a chef asks for tiles."""
        tile = table.state.current
        assert tile is not None
        if is_villager(tile):
            table.emit(TilePlaced(tile))  # TPOC-4.2.3
        elif is_leader(tile):
            _resolve_leader(table, colour_of(tile))
        else:
            _resolve_chef(table, self.seat)


class ReplaceCard(Step, frozen=True):
    """`seat` lost a platform card of `colour` and may replace it; `why` is accused or leader (TPOC-R15)."""

    menu: ClassVar[tuple[str, ...]] = ("replace_card", "decline_replacement")
    window: ClassVar[bool] = True

    seat: Public[int]
    colour: Public[str]
    why: Public[str]


class KeepTile(Step, frozen=True):
    """`seat` keeps one of the tiles it drew at a lunch; the tiles are its own knowledge unless `open` (TPOC-R25)."""

    menu: ClassVar[tuple[str, ...]] = ("keep_tile",)

    seat: Public[int]
    tiles: Annotated[tuple[str, ...], secret_to("seat", unless="open")]
    open: Public[bool] = False

    def run(self, table: Table[State]) -> None:
        """The tile kept takes effect (TPOC-4.4.5)."""
        table.push(ResolveTile(seat=self.seat))


class ChefCull(Step, frozen=True):
    """`seat` may remove up to `left` more villagers from the board, a hand card each (TPOC-4.2.C1)."""

    menu: ClassVar[tuple[str, ...]] = ("chef_remove", "chef_stop")

    seat: Public[int]
    left: Public[int]

    def run(self, table: Table[State]) -> None:
        """The chef is done, by the seat's word or by itself."""
        table.emit(ChefFinished(self.seat))


def lose_card(table: Table[State], seat: int, colour: str, why: str) -> None:
    """Take a card of `colour` from a platform; the window opens for a hand that is not empty, whatever it holds."""
    table.emit(PlatformCardLost(seat, colour, why))
    if table.state.seats[seat].hand and seat not in table.state.resigned:
        table.push(ReplaceCard(seats=(seat,), seat=seat, colour=colour, why=why))


def can_cull(state: State, seat: int, left: int) -> bool:
    """Whether the chef has something to ask: removals left, a hand to pay, a villager on the board (4.2)."""
    return left >= 1 and bool(state.seats[seat].hand) and bool(state.board) and seat not in state.resigned


def _resolve_leader(table: Table[State], colour: str) -> None:
    ruling = rule(table.state, colour)
    match ruling.what:
        case "endorsed":
            table.emit(LeaderEndorsed(colour, _known(ruling.seat)))
        case "abstained":
            table.emit(LeaderAbstained(colour))
        case "stayed":
            table.emit(LeaderStayed(colour, _known(ruling.seat)))
        case "moved":
            table.emit(LeaderMoved(colour, from_=_known(ruling.loser), to=_known(ruling.seat)))
        case "left":
            table.emit(LeaderLeft(colour, _known(ruling.loser)))
    if ruling.loser is not None and table.state.seats[ruling.loser].shows(colour):
        lose_card(table, ruling.loser, colour, "leader")  # TPOC-4.2.L9, TPOC-R22


def _resolve_chef(table: Table[State], seat: int) -> None:
    table.emit(ChefDrawn(seat))
    left = table.state.content().on_draw.chef.max
    asked = (seat,) if can_cull(table.state, seat, left) else ()
    table.push(ChefCull(seats=asked, seat=seat, left=left))


def _known(seat: int | None) -> int:
    assert seat is not None
    return seat
