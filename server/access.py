"""Who may do what: callers, their scopes, and what a game shows to whom. Deny by default."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from games.kernel import SPECTATOR
from projections.game import Meta
from projections.views import effective
from server.problems import Problem

WATCH: Final = "watch"
PLAY: Final = "play"
ORGANISE: Final = "organise"
ADMIN: Final = "admin"
SCOPES: Final = (WATCH, PLAY, ORGANISE, ADMIN)


class Caller(Struct, frozen=True):
    """Who is asking: a player with a token's scopes, perhaps narrowed to a game and a seat; or nobody (a spectator)."""

    player: str | None = None
    scopes: frozenset[str] = frozenset({WATCH})
    game: str | None = None
    seat: int | None = None
    token: str | None = None

    @property
    def bounds(self) -> bytes:
        """What the token is narrowed to, as a part of what an idempotency key stands for.

        Another token of the same player may not be given an answer that was made for more eyes than it has.
        """
        return b"" if self.game is None else f"{self.game} {self.seat}".encode()

    def need(self, scope: str) -> str:
        """The caller's player id, if the token has the scope.

        Raises:
            Problem: `unauthenticated` without a player, `not_allowed` without the scope.
        """
        if self.player is None:
            raise Problem("unauthenticated", "This needs a token: sign up with POST /v1/players.")
        if scope not in self.scopes and ADMIN not in self.scopes:
            raise Problem("not_allowed", f"This needs a token with the scope `{scope}`.")
        return self.player


NOBODY: Final = Caller()


def check_bounds(caller: Caller, seat: int | None = None) -> None:
    """Raise `not_allowed` for a token narrowed to another seat than this one; without a seat: to any seat."""
    if caller.seat is not None and caller.seat != seat:
        raise Problem("not_allowed", f"This token is for seat {caller.seat} only.")


def check_whole(caller: Caller) -> None:
    """Raise `not_allowed` for a token narrowed to a game: what is asked for is beside all games."""
    if caller.game is not None:
        raise Problem("not_allowed", "This token is for one game only.")


def seats_of(caller: Caller, meta: Meta) -> list[int]:
    """The seats of this game that the caller's token may read and play."""
    if caller.player is None or (caller.game is not None and caller.game != meta.game):
        return []
    own = meta.seats_of(caller.player)
    return own if caller.seat is None else [seat for seat in own if seat == caller.seat]


def may_know(caller: Caller, meta: Meta, *, invited: bool = False) -> bool:
    """Whether the caller may know that this game exists."""
    if caller.game is not None and caller.game != meta.game:
        return False
    if meta.created.visibility != "private" or invited or ADMIN in caller.scopes:
        return True
    return caller.player is not None and (caller.player == meta.created.creator or bool(meta.seats_of(caller.player)))


def check_known(caller: Caller, meta: Meta, *, invited: bool = False) -> None:
    """Raise `not_found` for a game that is not the caller's to know of, exactly as for one that is not there."""
    if not may_know(caller, meta, invited=invited):
        raise unknown_game()


def unknown_game() -> Problem:
    """The one answer for a game that is not there or not yours to know of."""
    return Problem("not_found", "There is no such game, or it is not yours to see.")


def own_seat(caller: Caller, meta: Meta, seat: int | None) -> int:
    """The seat that the caller acts for: the named one, or the only one.

    Raises:
        Problem: `not_found`, `not_allowed`, `invalid` (several seats and none named).
    """
    check_known(caller, meta)
    caller.need(PLAY)
    own = seats_of(caller, meta)
    if seat is None and len(own) == 1:
        return own[0]
    if seat is None:
        sentence = "You hold several seats: say which one." if own else "You hold no seat of this game."
        raise Problem("invalid" if own else "not_allowed", sentence)
    if not 0 <= seat < meta.created.seats:
        raise Problem("not_found", f"There is no seat {seat}: this game has seats 0 to {meta.created.seats - 1}.")
    if seat not in own:
        raise Problem("not_allowed", f"Seat {seat} is not yours.")
    return seat


def is_delayed(caller: Caller, meta: Meta, wanted: str | int | None = None) -> bool:
    """Whether the caller sees the game by its spectators' delay: who holds no seat, or wants a spectator's eyes.

    `meta` is that of the game as it is now. Operators and who made the game are spectators like others.
    """
    return meta.created.spectator_delay_s > 0 and (wanted == "spectator" or not seats_of(caller, meta))


def check_not_delayed(caller: Caller, meta: Meta, wanted: str | int | None = None) -> None:
    """Raise `not_allowed` for who may see the game by its delay alone."""
    if is_delayed(caller, meta, wanted):
        raise Problem("not_allowed", "You hold no seat of this game now: others see it later than it is played.")


def reader_of(caller: Caller, meta: Meta, wanted: str | int | None) -> int:
    """The reader that the caller may be: `wanted` is a seat, `spectator`, `all`, or None for the natural one.

    Natural: the only own seat, else a spectator. After the end anything may be read by whoever may see the game.

    Raises:
        Problem: `not_found`, `not_allowed` or `invalid`.
    """
    check_known(caller, meta)
    return reader_with(seats_of(caller, meta), caller, meta, wanted)


def reader_with(own: Sequence[int], caller: Caller, meta: Meta, wanted: str | int | None) -> int:
    """As `reader_of`, for a caller that may know of the game and has these seats of it now.

    `meta` may be that of the game as it was a while ago, when others had them.

    Raises:
        Problem: `not_found`, `not_allowed` or `invalid`.
    """
    ended = meta.status == "ended"
    if wanted is None:
        wanted = own[0] if len(own) == 1 else "spectator"
    if isinstance(wanted, str) and wanted.isdecimal() and len(wanted) < 4:
        wanted = int(wanted)
    if isinstance(wanted, int):
        if not 0 <= wanted < meta.created.seats:
            raise Problem("not_found", f"There is no seat {wanted}: this game has seats 0 to {meta.created.seats - 1}.")
        if wanted not in own and not ended:
            raise Problem("not_allowed", f"Seat {wanted} is not yours: nobody else may see what it sees.")
        return wanted
    if wanted == "all":
        if not ended:
            raise Problem("not_allowed", "Everything is public only after the end of the game.")
        return effective(SPECTATOR, ended=True)
    if wanted != "spectator":
        raise Problem("invalid", "`seat` is a seat number, `spectator`, or after the end `all`.")
    if not own and not ended and not meta.created.spectators and caller.player != meta.created.creator:
        raise Problem("not_allowed", "This game has no spectators.")
    return SPECTATOR
