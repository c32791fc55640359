"""What is under way between seats (specification, 3.1 and 4.7): a vote, an offer, an exchange, a fight."""

from msgspec import Struct

from games.portland_occupied_zone.pack_parts import Cell


class Ballot(Struct, kw_only=True, forbid_unknown_fields=True):
    """A vote under way (ALG-VOTE): options by seat, how often each was changed, who stands firm, offers made."""

    options: tuple[str, ...]
    unanimous: bool = True
    votes: dict[int, str] = {}
    changes: dict[int, int] = {}
    firm: list[int] = []
    offers: dict[int, int] = {}


class Offer(Struct, kw_only=True, forbid_unknown_fields=True):
    """A trade being offered: `items` of `pc` (cards, or `brick`) for `asks` of `to` (backs, `any` or `brick`)."""

    pc: str
    to: str
    items: list[str] = []
    asks: list[str] = []
    given: list[str] = []
    sent: bool = False


class Exchange(Struct, kw_only=True, forbid_unknown_fields=True):
    """A structure bought with others: what it is, where it will stand, what is given for it (4.4)."""

    type: str
    cells: tuple[Cell, ...]
    given: list[str] = []


class Combat(Struct, kw_only=True, forbid_unknown_fields=True):
    """A fight between characters: bricks declared so far (hidden until both are in), and by how much it was won."""

    attacker: str
    defender: str
    bonus: int = 0
    declared: dict[str, int] = {}
    won_by: int | None = None
