"""Which cards a pack may have: what the effect language can do in each window (specification, 2.8 to 2.10)."""

from typing import Final

from games.block_mania import ops
from games.block_mania.pack_faults import expect_known, expect_once
from games.block_mania.pack_parts import Mania, Pack
from games.content import expect

#: The ops that a Mania card of each window may have; Justice cards have JUSTICE.
COMMAND: Final = (
    ops.Deploy, ops.TakeControl, ops.PlaceToken, ops.AddCommand, ops.PlaceFire, ops.Collapse, ops.Cut, ops.SetTurnFlag,
)  # fmt: skip
ENTERED: Final = (ops.Attack, ops.Remove, ops.SetBlockerFlag)
ALLOWED: Final[dict[str, tuple[type, ...]]] = {
    "C": COMMAND,
    "R": (ops.AddCommand,),
    "H:activation": (ops.SetTurnFlag,),
    "H:vehicle": (ops.Attack,),
    "A+": (ops.ModifyAttack,),
    "A-": (ops.ModifyAttack,),
} | dict.fromkeys(("H:any", "H:civic", "H:bank_mall", "H:elevator"), ENTERED)
JUSTICE: Final = (ops.Remove, ops.RemoveType, ops.ClearFire, ops.PlaceToken)
#: Ops that need an answer of the card's player; a card names one thing.
NAMING: Final = (ops.PlaceToken, ops.PlaceFire, ops.Collapse, ops.Cut, ops.ClearFire)
DECKS: Final = {"table49": 49, "totals53": 53, "house54": 54}


def check_cards(pack: Pack) -> None:
    """Test both sides of the cards, and the decks.

    Raises:
        ContentError: a sentence that names the field and the rule.
    """
    expect_once([card.id for card in pack.mania], "mania", "BM-MAN-1")
    for index, card in enumerate(pack.mania):
        _check_mania(pack, card, f"mania[{index}]")
    expect_once([card.id for card in pack.justice], "justice", "BM-1A-2")
    for index, side in enumerate(pack.justice):
        field = f"justice[{index}]"
        _check_ops(pack, side.ops, JUSTICE, field, "BM-1A-2")
        named = all(op.target == "named" for op in side.ops if isinstance(op, ops.Remove))
        expect(named, f"{field}.ops", "a Justice card names whom it removes", "BM-1A-2")
    _check_decks(pack)


def _check_mania(pack: Pack, card: Mania, field: str) -> None:
    _check_ops(pack, card.ops, ALLOWED[card.window], field, "BM-MAN-1")
    for number, op in enumerate(card.ops):
        place = f"{field}.ops[{number}]"
        match op:
            case ops.ModifyAttack(_, side):
                own = (side == "own") == (card.window == "A+")
                expect(own, f"{place}.side", "A+ is for the own roll, A- for the enemy's", "BM-MAN-1")
            case ops.Remove(target):
                expect(target == "mover", f"{place}.target", "it is the blocker that moved", "BM-MAN-1")
            case ops.AddCommand(dice, points):
                one = (dice is None) != (points is None)
                expect(one, place, "it has either dice or points", "BM-1B-1")
            case ops.SetTurnFlag(flag):
                banning = (flag == "ban_activation") == (card.window == "H:activation")
                expect(banning, f"{place}.flag", "an activation is banned as it is declared", "BM-MAN-1")


def _check_ops(pack: Pack, found: tuple[ops.Op, ...], allowed: tuple[type, ...], field: str, rule: str) -> None:
    expect(bool(found), f"{field}.ops", "a card does something", rule)
    for number, op in enumerate(found):
        fits = isinstance(op, allowed)
        expect(fits, f"{field}.ops[{number}]", f"not with {type(op).__struct_config__.tag}", rule)
        for where in _filters(op):
            expect_known(where.kind or (), {k.id for k in pack.kinds}, f"{field}.ops[{number}]", rule)
            tags = {tag for kind in pack.kinds for tag in kind.tags}
            expect_known(where.tag or (), tags, f"{field}.ops[{number}]", rule)
    named = sum(isinstance(op, NAMING) or (isinstance(op, ops.Remove) and op.target == "named") for op in found)
    expect(named <= 1, f"{field}.ops", "a card names one thing at most", rule)


def _filters(op: ops.Op) -> tuple[ops.Filter, ...]:
    if isinstance(op, ops.PlaceToken | ops.PlaceFire | ops.Collapse | ops.Cut):
        return (op.where,)
    return op.where if isinstance(op, ops.Remove) else ()


def _check_decks(pack: Pack) -> None:
    rows = pack.cards
    sides = [(row.justice, row.mania) for row in rows]
    for index, row in enumerate(rows):
        field = f"cards[{index}]"
        expect_known([row.justice], {card.id for card in pack.justice}, f"{field}.justice", "BM-COMP-2")
        expect_known([row.mania], {card.id for card in pack.mania}, f"{field}.mania", "BM-COMP-2")
        expect(sides.count(sides[index]) == 1, field, "a pair of sides is listed once", "BM-COMP-2")
        most = all(n is None or n <= row.count for n in (row.table49, row.totals53))
        expect(most, field, "no deck has more of it than house54", "BM-COMP-2")
    for deck, size in DECKS.items():
        total = sum(deck_count(row, deck) for row in rows)
        expect(total == size, "cards", f"the deck {deck} has {size} cards, not {total}", "BM-COMP-2")


def deck_count(row: object, deck: str) -> int:
    """How many cards of a row are in the deck of this option."""
    other = getattr(row, deck, None)
    return int(row.count if other is None else other)  # type: ignore[attr-defined] # a CardRow
