"""The content pack of the tiny ruleset: a street of places where the police walk, towers on it, and the cards."""

from collections import Counter

from msgspec import Struct

from games.content import ContentError, Shelf


class Place(Struct, frozen=True):
    """A place: what stands on it (`above`), and where the police go from it on a die of 1 to 6 (None: roll again)."""

    id: str
    exits: tuple[str | None, str | None, str | None, str | None, str | None, str | None]
    above: str | None = None


class Card(Struct, frozen=True):
    """A kind of card: `use` is aim, cover, curfew or cancel; `value` goes to an attack's roll."""

    id: str
    use: str
    count: int
    value: int = 0


class Pack(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that the rules read."""

    pack: str
    places: tuple[Place, ...]
    cards: tuple[Card, ...]
    hand: int
    purse: int
    bank: int

    def card(self, name: str) -> Card | None:
        """The kind with this id."""
        return next((card for card in self.cards if card.id == name), None)

    def place(self, name: str) -> Place | None:
        """The place with this id."""
        return next((place for place in self.places if place.id == name), None)


def check(pack: Pack) -> None:
    """Refuse a pack that cannot be played with: one sentence that names the field and the rule."""
    names = [place.id for place in pack.places]
    for what, ids in (("places", names), ("cards", [card.id for card in pack.cards])):
        twice = [name for name, count in Counter(ids).items() if count > 1]
        if twice or not ids:
            raise ContentError(f"{what}: every id once, and at least one (TINY-PACK-1); twice: {', '.join(twice)}")
    for place in pack.places:
        if not any(place.exits):
            raise ContentError(f"places.{place.id}.exits: a walk must be able to go on (TINY-PACK-2)")
        for name in {*place.exits, place.above} - {None}:
            if name not in names:
                raise ContentError(f"places.{place.id}: there is no place {name} (TINY-PACK-3)")
    for card in pack.cards:
        if card.use not in ("aim", "cover", "curfew", "cancel"):
            raise ContentError(f"cards.{card.id}.use: {card.use} is no use (TINY-PACK-4)")
    if sum(card.count for card in pack.cards) < 4 * pack.hand:
        raise ContentError("cards: too few to deal four hands (TINY-PACK-5)")


SHELF: Shelf[Pack] = Shelf(Pack, check)
