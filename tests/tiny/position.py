"""How people write a state of the tiny ruleset: the fields of the state, laid over the ordinary start."""

from collections.abc import Mapping
from typing import Any

import msgspec

from games.kernel import PositionError, Setting, Table
from tests.tiny import steps
from tests.tiny.pack import SHELF
from tests.tiny.state import Floor, Tiny


def initial(setting: Setting) -> Tiny:
    """The table before anything happens: coins dealt, the cards in the deck in the pack's order."""
    content, seats = SHELF[setting.pack], range(setting.seats)
    return Tiny(
        pack=setting.pack,
        options=setting.options,
        hands=[[] for _ in seats],
        stashes=[None for _ in seats],
        homes=[None for _ in seats],
        coins=[content.purse for _ in seats],
        bank=content.bank,
        lost=[0 for _ in seats],
        floors={place.id: Floor() for place in content.places},
        deck=[card.id for card in content.cards for _ in range(card.count)],
    )


class TinyPosition:
    """Positions are states as JSON, without what the setting says."""

    procedures = {"damage": lambda table, place: table.push(steps.Damage(entries=(place,)))}
    questions = {"above": lambda state, place: state.content.place(place).above}

    def load(self, position: Mapping[str, Any], setting: Setting, base: str) -> Tiny:
        """The ordinary start with the position's fields over it; cards not listed go to the deck in order."""
        state = initial(setting)
        whole = msgspec.to_builtins(state, str_keys=True)
        for name, value in position.items():
            if name not in whole or name in ("pack", "options"):
                raise PositionError(f"{name}: no field of a position")
            whole[name] = whole[name] | value if name == "floors" else value
        try:
            loaded = msgspec.json.decode(msgspec.json.encode(whole), type=Tiny)
        except msgspec.ValidationError as error:
            raise PositionError(str(error)) from error
        if "deck" not in position:
            for card in cards_outside_deck(loaded):
                if card not in loaded.deck:
                    raise PositionError(f"deck: there are not so many {card}")
                loaded.deck.remove(card)
        return loaded

    def begin(self, table: Table[Tiny]) -> None:
        """A position without an agenda begins with a round."""
        table.push(steps.Round())

    def dump(self, state: Tiny) -> dict[str, Any]:
        """All fields but the pack and the options."""
        whole = msgspec.to_builtins(state, str_keys=True)
        return {name: value for name, value in whole.items() if name not in ("pack", "options")}

    def schema(self) -> dict[str, Any]:
        """The schema of the state."""
        return msgspec.json.schema(Tiny)


def cards_outside_deck(state: Tiny) -> list[str]:
    """Every card that is not in the deck, wherever it is."""
    return [
        *(card for hand in state.hands for card in hand),
        *(card for card in state.stashes if card is not None),
        *state.discard,
        *(card.card for card in state.announced),
        *(state.offer.cards if state.offer else ()),
    ]


def components(state: Tiny) -> dict[str, int]:
    """Every card by kind, the coins, and the units of each seat, once they are placed."""
    cards = [*state.deck, *cards_outside_deck(state)]
    counts = {f"card:{name}": cards.count(name) for name in sorted(set(cards))}
    counts["coins"] = state.bank + sum(state.coins)
    for seat in range(state.seat_count):
        standing = sum(floor.units.count(seat) for floor in state.floors.values())
        counts[f"units:{seat}"] = standing + state.lost[seat] + (0 if state.revealed else 2)
    return counts
