"""Effects on cards: drawn, gained, used, thrown away, stolen (specification, 4.5, 4.7 and 9.1)."""

from typing import Annotated, ClassVar, Literal

from games.kernel import EVERYONE, Effect, Hidden, Public, Secret, secret_to
from games.portland_occupied_zone.pieces import note, put_away, take_from_hand
from games.portland_occupied_zone.state import State, Tail, Used

Faces = Annotated[str, secret_to("thief_seat", "victim_seat")]


class LootDrawn(Effect, frozen=True):
    """A character took the top cards of a loot deck (ALG-LOOT); others see their backs."""

    tells: ClassVar[tuple[str, ...]] = ("seat",)

    pc: Public[str]
    seat: Public[int]
    deck: Public[str]
    n: Public[int]
    cards: Secret[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """From the deck to the hand."""
        del state.decks.loot[self.deck][: self.n]
        state.pcs[self.pc].hand += [state.board.card(card, self.deck) for card in self.cards]
        note(state, self.pc, "looted", self.n)


class GarbageTaken(Effect, frozen=True):
    """A character took a card from the garbage (POZ-WST-4, -5): all see its back."""

    tells: ClassVar[tuple[str, ...]] = ("seat",)

    pc: Public[str]
    seat: Public[int]
    back: Public[str]
    card: Secret[str]

    def fold(self, state: State) -> None:
        """From the garbage to the hand."""
        card = state.board.card(self.card, self.back)
        state.decks.garbage.remove(card)
        state.pcs[self.pc].hand.append(card)
        note(state, self.pc, "garbage")


class ItemGained(Effect, frozen=True):
    """A character took a named card from Homebrew, from the harvest store, or searched for it in its loot deck."""

    pc: Public[str]
    card: Public[str]
    back: Public[str]
    source: Public[Literal["homebrew", "store", "deck"]]

    def fold(self, state: State) -> None:
        """From its pile to the hand."""
        decks = state.decks
        card = state.board.card(self.card, self.back)
        if self.source == "homebrew":
            decks.homebrew[self.card] -= 1
        elif self.source == "store":
            decks.store.remove(card)
        else:
            decks.loot[self.back].remove(self.card)
        state.pcs[self.pc].hand.append(card)


class CardUsed(Effect, frozen=True):
    """A food, drug or special was used; `on` another one if injected, `tail`: it has to wear off, `kept` until then."""

    pc: Public[str]
    card: Public[str]
    back: Public[str]
    on: Public[str | None] = None
    tail: Public[bool] = False
    kept: Public[bool] = False

    def fold(self, state: State) -> None:
        """Out of the game, back to Homebrew, or kept until it has worn off."""
        card = take_from_hand(state, self.pc, self.card, self.back)
        if self.tail:
            state.pcs[self.on or self.pc].drug_tail.append(Tail(card, 0, self.kept))
        if not self.kept:
            put_away(state, card)
        kind = state.board.cards[self.card].type
        note(state, self.pc, {"D": "drugs", "F": "food"}.get(kind, "specials"))


class DrugWoreOff(Effect, frozen=True):
    """A drug is over (ALG-ENDTURN 1): its card, if it was kept, is out of the game or back in Homebrew."""

    pc: Public[str]
    card: Public[str]

    def fold(self, state: State) -> None:
        """The first tail of this card goes."""
        tails = state.pcs[self.pc].drug_tail
        index = next(index for index, tail in enumerate(tails) if tail.card == self.card)
        if tails.pop(index).kept:
            put_away(state, self.card)


class CardDiscarded(Effect, frozen=True):
    """A hand card went to the garbage, face down: `why` discard, price, npc."""

    pc: Public[str]
    seat: Public[int]
    back: Public[str]
    card: Secret[str]
    why: Public[str] = "discard"

    def fold(self, state: State) -> None:
        """Hand to garbage."""
        state.decks.garbage.append(take_from_hand(state, self.pc, self.card, self.back))


class CardDropped(Effect, frozen=True):
    """A random hand card went to the garbage, face down: chance was asked, so going back needs all (9.2)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    pc: Public[str]
    seat: Public[int]
    back: Public[str]
    card: Secret[str]

    def fold(self, state: State) -> None:
        """Hand to garbage."""
        state.decks.garbage.append(take_from_hand(state, self.pc, self.card, self.back))


class LootMilled(Effect, frozen=True):
    """The top cards of a loot deck went to the garbage unseen."""

    deck: Public[str]
    n: Public[int]
    cards: Hidden[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """Deck to garbage."""
        del state.decks.loot[self.deck][: self.n]
        state.decks.garbage += [state.board.card(card, self.deck) for card in self.cards]


class PowerUsed(Effect, frozen=True):
    """A character used a power, once in its turn (POZ-TRN-12); `ideology`: it works by itself in the Teach-In."""

    pc: Public[str]
    power: Public[str]
    ideology: Public[bool] = False

    def fold(self, state: State) -> None:
        """Its use is up."""
        if not self.ideology:
            use_up(state, self.pc, "power")


class DumpsterDived(Effect, frozen=True):
    """A character rummages in the garbage, once in its turn (POZ-TRN-9); `n` cards at most."""

    pc: Public[str]
    n: Public[int]
    dumpster: Public[str | None] = None

    def fold(self, state: State) -> None:
        """Its use is up."""
        use_up(state, self.pc, "dive")


class DiseaseContracted(Effect, frozen=True):
    """A character contracts a disease, from the deck or from another one; where it goes follows (POZ-DIS-1, -2)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    pc: Public[str]
    card: Public[str]
    giver: Public[str | None] = None

    def fold(self, state: State) -> None:
        """It has no slot yet."""
        if self.giver is None:
            state.decks.disease.remove(self.card)
        else:
            slots = state.pcs[self.giver].slots
            setattr(slots, next(slot for slot, card in slots.filled() if card == self.card), None)
        state.pcs[self.pc].catching.append(self.card)


class SlotChosen(Effect, frozen=True):
    """The disease goes to this slot; an item in it goes to the hand (POZ-DIS-2, -3)."""

    pc: Public[str]
    slot: Public[str]
    card: Public[str]

    def fold(self, state: State) -> None:
        """It is equipped."""
        who = state.pcs[self.pc]
        old = getattr(who.slots, self.slot)
        if old is not None:
            who.hand.append(old)
        who.catching.remove(self.card)
        setattr(who.slots, self.slot, self.card)


class DiseaseCured(Effect, frozen=True):
    """A disease goes back to its deck, which is shuffled (POZ-DIS-5, POZ-DIS-13)."""

    pc: Public[str]
    card: Public[str]

    def fold(self, state: State) -> None:
        """Out of its slot."""
        slots = state.pcs[self.pc].slots
        setattr(slots, next(slot for slot, card in slots.filled() if card == self.card), None)
        state.decks.disease.append(self.card)


class ItemStolen(Effect, frozen=True):
    """A card was taken from a hand, blind (POZ-PVP-13)."""

    tells: ClassVar[tuple[str, ...]] = ("thief_seat", "victim_seat")

    thief: Public[str]
    victim: Public[str]
    thief_seat: Public[int]
    victim_seat: Public[int]
    back: Public[str]
    card: Faces

    def fold(self, state: State) -> None:
        """From hand to hand."""
        card = take_from_hand(state, self.victim, self.card, self.back)
        state.pcs[self.thief].hand.append(card)


class BodySearched(Effect, frozen=True):
    """The hand of an unconscious or dead character was looked at (POZ-KO-5)."""

    tells: ClassVar[tuple[str, ...]] = ("seat",)

    pc: Public[str]
    seat: Public[int]
    body: Public[str]
    hand: Secret[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """It is open to this seat for the rest of the turn."""
        if state.turn is not None:
            state.turn.searched.append(self.body)


class ItemsRobbed(Effect, frozen=True):
    """An item was taken from a body: `slot` if it was equipped, then all see it (POZ-KO-5, POZ-KIL-3)."""

    thief: Public[str]
    victim: Public[str]
    thief_seat: Public[int]
    victim_seat: Public[int]
    back: Public[str]
    card: Annotated[str, secret_to("thief_seat", "victim_seat", unless="slot")]
    slot: Public[str | None] = None

    def fold(self, state: State) -> None:
        """To the thief's hand."""
        body = state.pcs[self.victim]
        card = state.board.card(self.card, self.back)
        if self.slot is None:
            body.hand.remove(card)
        else:
            setattr(body.slots, self.slot, None)
        state.pcs[self.thief].hand.append(card)


def use_up(state: State, pc: str, what: Used) -> None:
    """A once-a-turn use is up."""
    if state.turn is not None and state.turn.pc == pc:
        state.turn.used.append(what)


#: Every effect of this module.
CardEffect = (
    LootDrawn
    | GarbageTaken
    | ItemGained
    | CardUsed
    | DrugWoreOff
    | CardDiscarded
    | CardDropped
    | LootMilled
    | PowerUsed
    | DumpsterDived
    | DiseaseContracted
    | SlotChosen
    | DiseaseCured
    | ItemStolen
    | BodySearched
    | ItemsRobbed
)
