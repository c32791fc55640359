"""Which card texts may be under way in a position, and which choices of them: answers fit the questions (4.4.6)."""

from collections import Counter
from typing import Any, Final

from games.host_tournament import ops as words
from games.host_tournament.cards import op_at
from games.host_tournament.deck import SIZE
from games.host_tournament.doing import rule_of
from games.host_tournament.look import Names
from games.host_tournament.ops import Op
from games.host_tournament.position_doc import is_known, is_spot
from games.host_tournament.state import State
from games.host_tournament.steps.ops import CardChoice, ChooseIcon, Do
from games.host_tournament.values import members
from games.kernel import Step

#: The zone of each kind of choice.
ZONES: Final = {
    "drop": ("hand",),
    "sift": ("hand",),
    "recycle": ("discard",),
    "pick": ("play",),
    "best": ("play",),
    "move": ("place",),
    "may": ("text",),
    "download": ("deck",),
    "download_target": ("place", "play", "town"),
}
OWN_ZONES: Final = ("drop", "sift", "recycle")


def _works(state: State, text: Do, _: Step | None) -> bool:
    frame, cards = text.frame, state.book.cards
    if frame.you not in (0, 1) or (not frame.card and state.book.sorting is None):
        return False
    return not frame.card or (frame.card in cards and 0 <= frame.rule < len(cards[frame.card].rules))


def _named(state: State, text: Do, _: Step | None) -> bool:
    frame = text.frame
    names = (*frame.group, *(name for name in (frame.name, frame.host, frame.trig) if name))
    here = frame.here is None or is_spot(state, frame.here)
    return here and all(is_known(state, name) for name in names)


def _leads(state: State, text: Do, _: Step | None) -> bool:
    return 0 <= text.at < len(_ops(state, text))


def _ops(state: State, text: Do) -> tuple[Op, ...]:
    """The operations that its path leads to; none if it leads nowhere."""
    if len(text.path) % 2 or any(n < 0 for n in text.path):
        return ()
    try:
        return op_at(rule_of(state, text), text.path)
    except IndexError:
        return ()


class _Misfit(Exception):
    """An answer that no question allows, or a question that has no answer yet."""


class _Answers:
    """Answers that were given, each held against its question (a `Chooser`)."""

    def __init__(self, state: State, answers: tuple[Names, ...]) -> None:
        self.state, self.left, self.open = state, list(answers), False

    def _next(self, allowed: Names, most: int) -> Names:
        if not self.left:
            self.open = True
            raise _Misfit
        answer = self.left.pop(0)
        if len(answer) > most or len(set(answer)) < len(answer) or not set(answer) <= set(allowed):
            raise _Misfit
        return answer

    def pick(self, names: Names, word: words.Pick, _: int) -> Names:
        """Up to `n` of them."""
        return self._next(names, word.n)

    def rand(self, names: Names, n: int) -> Names:
        """So many of them."""
        return self._next(names, max(n, len(names)))

    def best(self, names: Names, _: int) -> str:
        """One of them."""
        answer = self._next(names, 1)
        if not answer:
            raise _Misfit
        return answer[0]

    def icon(self, name: str, town: str) -> bool:
        """One of its two towns."""
        return self._next(self.state.card(name).aff, 1) == (town,)


def _answered(state: State, text: Do, _: Step | None) -> bool:
    """What was answered so far is what the operation at hand asks."""
    op, answers = _ops(state, text)[text.at], _Answers(state, text.chosen)
    try:
        if hasattr(op, "w"):
            members(state, text.frame, op.w, answers)
    except _Misfit:
        return answers.open
    left = answers.left
    if isinstance(op, words.Move):
        return len(left) <= 1 and all(len(one) <= 1 and set(one) <= set(state.look.copies) for one in left)
    if isinstance(op, words.May):
        return left in ([], [()], [(text.frame.name,)])
    return not left or (isinstance(op, words.Download) and _downloaded(state, left))


def _downloaded(state: State, left: list[Names]) -> bool:
    """The card, perhaps with its zone, then perhaps where it goes."""
    spots = {*state.look.copies, *state.in_play, *state.book.towns, *state.book.cards}
    fits = bool(left[0]) and left[0][0] in spots and len(left[0]) <= 2 and set(left[0][1:]) <= {"hand", "deck"}
    return fits and len(left) <= 2 and all(len(one) == 1 and one[0] in spots for one in left[1:])


def _is_asked(state: State, step: CardChoice, beneath: Step | None) -> bool:
    """A kind of choice in its zone; it answers the text that waits beneath, or is about cards of the seat."""
    if step.zone not in ZONES.get(step.kind, ()) or step.open != (step.zone not in ("hand", "deck")):
        return False
    if step.kind in OWN_ZONES:
        return True
    if not isinstance(beneath, Do) or not _works(state, beneath, None) or not _leads(state, beneath, None):
        return False
    loads = isinstance(_ops(state, beneath)[beneath.at], words.Download)
    return loads == step.kind.startswith("download")


def _bounded(_: State, step: CardChoice, __: Step | None) -> bool:
    """A question that is put has an answer; the most is what there is."""
    if step.kind == "download":
        return step.most == 1 and step.least == 1 and not step.taken and not step.offer and bool(step.seats)
    if not 0 <= step.least <= step.most <= SIZE:
        return False
    return (step.most > 0 or not step.seats) and bool(step.choosable() or not step.least)


def _offered(state: State, step: CardChoice, beneath: Step | None) -> bool:
    """What is on offer, or was taken, is in the zone."""
    named = Counter((*step.offer, *step.taken))
    seat = state.seats[step.seat]
    match step.zone:
        case "hand":
            return not named - Counter(seat.hand)
        case "discard":
            return not named - Counter(seat.discard)
        case "text":
            return isinstance(beneath, Do) and named == Counter([beneath.frame.name])
        case "deck":
            return True
    there: Any = {"play": state.in_play, "place": state.look.copies, "town": state.book.towns}[step.zone]
    return all(name in there and n == 1 for name, n in named.items())


def _dual(state: State, step: ChooseIcon, beneath: Step | None) -> bool:
    card = state.in_play.get(step.card)
    own = card is not None and card.owner == step.seat and len(state.card(step.card).aff) == 2
    return own and isinstance(beneath, Do) and not step.town and bool(step.seats)


DO: Final = (
    ("frame", _works, "it is a rule of a card, of seat 0 or 1"),
    ("frame", _named, "it names a place, and instances of cards"),
    ("path", _leads, "it leads to an operation of the rule"),
    ("chosen", _answered, "the answers are those that the operation asks for"),
)
CHOICE: Final = (
    ("kind", _is_asked, "a text asks it, in the zone that it is about"),
    ("offer", _offered, "it is in the zone that the choice is about"),
    ("most", _bounded, "so many cannot be chosen"),
)
ICON: Final = (("card", _dual, "it is a card of the seat with two towns, that a text asks about"),)
