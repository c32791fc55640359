"""What makes the words of an effect valid (cards, section 2): where each may stand, its numbers, whom it works on."""

from collections.abc import Mapping
from typing import Any, Final

from games.content import ContentError
from games.host_tournament import ops
from games.host_tournament.cards import Book, Card, words
from games.kernel.messages import snake_case

SUBGAME: Final = ("entry_t", "entry_d", "roll_t", "roll_d", "result_t", "result_d")
#: The names that mean personnel; SELF does on a personnel.
PERSONNEL: Final = frozenset({"MINE", "THEIRS", "ALL", "YOURS", "FIELD", "GROUP", "ENTRANTS", "HOST"})
#: Those of them that mean personnel of one seat at one place.
TOGETHER: Final = frozenset({"MINE", "THEIRS", "SELF", "HOST", "GROUP"})
#: What works on personnel alone, or compares them.
ON_PERSONNEL: Final = (
    *(ops.Stop, ops.Free, ops.Wake, ops.Move, ops.Enter, ops.Reroll, ops.Buff, ops.Grant, ops.Fee, ops.Immune),
    *(ops.Total, ops.Won, ops.Best, ops.Below, ops.On),
)
#: The least number of each word, and how it is said.
LEAST: Final[Mapping[type[ops.Word], tuple[int, str]]] = {
    ops.Stop: (1, "a turn or more"),
    ops.Pick: (1, "at least one is picked"),
    ops.Rand: (1, "at least one is picked"),
    **dict.fromkeys((ops.Wake, ops.Draw, ops.Drop, ops.Sift, ops.Recycle), (0, "0 or more")),
}
#: What Sort the folder may do: it has no place, and works on hands and decks.
OF_FOLDER: Final = (ops.Sift, ops.Draw, ops.Drop, ops.Recycle)
NESTED = "no subgame begins within another"
ABILITY = "an ability is for 1 to 3 actions, for none only once a turn"


def expect(holds: bool, field: str, sentence: str, rule: str) -> None:  # noqa: FBT001 a test and its complaint
    """Refuse a pack that fails a test.

    Raises:
        ContentError: the field, what is wrong there, and the rule.
    """
    if not holds:
        raise ContentError(f"{field}: {sentence} ({rule})")


def check_rule(book: Book, card: Card, rule: ops.Rule, where: str) -> None:
    """Test one rule of a card: what it is for, then each word in it."""
    timing = rule.t if isinstance(rule, ops.Reply | ops.After) else ""
    if isinstance(rule, ops.After):
        expect(timing in SUBGAME, where, "after goes with a window of a subgame", "HT-18.9")
    if isinstance(rule, ops.Zero):
        expect(card.cd is not None, where, "zero goes with a countdown", "HT-14.1")
    if isinstance(rule, ops.Act):
        expect(rule.n in (1, 2, 3) or (rule.n == 0 and _onces(rule.c) > 0), where, ABILITY, "HT-3.1")
    _check_names(rule, timing, where, group=isinstance(rule, ops.Chula) or timing == "answer_motion")
    when = getattr(rule, "c", ops.When())
    outside = _onces(rule) - sum(isinstance(k, ops.Once) for k in when.all)
    expect(outside == 0, where, "once goes with the when of a rule", "HT-18.4")
    for word in words(rule):
        _check_word(card, word, timing, where)
        if isinstance(rule, ops.During):
            chosen = isinstance(word, ops.Pick | ops.Rand | ops.Best | ops.Once)
            expect(not chosen, where, "nothing is chosen or used up by what holds all the time", "HT-18.9")
        else:
            _check_op(book, card, rule, word, where)


def check_free(card: Card, where: str) -> None:
    """Test the condition under which an equipment costs nothing."""
    if card.free is not None:
        _check_names(card.free, "", where, group=False)
        expect(_onces(card.free) == 0, where, "once goes with the when of a rule", "HT-18.4")
        for word in words(card.free):
            _check_word(card, word, "", where)


def check_folder(folder: ops.Act, where: str) -> None:
    """Test the one rule that all locations have: Sort the folder (HT-18.1)."""
    fits = folder.c == ops.When((ops.Once("turn"),)) and all(isinstance(op, OF_FOLDER) for op in folder.ops)
    expect(folder.n in (1, 2, 3), where, "it is for 1 to 3 actions", "HT-18.1")
    expect(fits, where, "it has when(once(turn)) and works on hands and decks alone", "HT-18.1")
    for word in words(folder):
        _check_number(word, where)


def _onces(things: Any) -> int:
    return sum(isinstance(word, ops.Once) for word in words(things))


def _check_names(things: ops.Word, timing: str, where: str, *, group: bool) -> None:
    for word in words(things):
        named = [getattr(word, name) for name in word.__struct_fields__]
        expect("GROUP" not in named or group, where, "GROUP goes with chulas and answer_motion", "HT-11.1")
        expect("ENTRANTS" not in named or timing in SUBGAME, where, "ENTRANTS goes with subgames", "HT-8.1")


def _check_word(card: Card, word: ops.Word, timing: str, where: str) -> None:
    """Numbers and targets, wherever the word stands."""
    _check_number(word, where)
    match word:
        case ops.Fee(w, _, n):
            expect(n < 0 or w == "ALL", where, "what makes moves dearer does so for ALL", "HT-18.5")
        case ops.Won():
            expect(timing == "result_t", where, "won goes with result_t", "HT-18.10")
        case ops.Discard(w):
            expect(_base(w) not in ("YOU", "OPP", "TABLE"), where, f"discard: {_base(w)} is no card", "HT-10.4")
        case ops.Count(w):
            expect(w == "HERE" or _stranger(w, card) is None, where, "personnel are counted, or cards HERE", "HT-10.4")
    if isinstance(word, ON_PERSONNEL):
        stranger = _stranger(word.w, card)
        expect(stranger is None, where, f"{_told(word)}: {stranger} is no personnel", "HT-10.4")
    if isinstance(word, ops.Count | ops.Total | ops.Won):
        chosen = any(isinstance(part, ops.Pick | ops.Rand | ops.Best) for part in words(word.w))
        expect(not chosen, where, "nothing is chosen to see whether a condition holds", "HT-18.3")


def _check_number(word: ops.Word, where: str) -> None:
    least, sentence = LEAST.get(type(word), (0, ""))
    if sentence:
        expect(word.n >= least, where, f"{_told(word)}: {sentence}", "HT-10.4")  # type: ignore[attr-defined] # these have n


def _check_op(book: Book, card: Card, rule: ops.Rule, word: ops.Word, where: str) -> None:
    """An operation stands in a rule in which it can do something."""
    timing = rule.t if isinstance(rule, ops.Reply | ops.After) else ""
    match word:
        case ops.Attach():
            fits = isinstance(rule, ops.Play) and card.type == "equipment"
            expect(fits, where, "equipment is attached as it is played", "HT-3.2")
        case ops.Stay():
            fits = card.type in ("event", "interrupt", "chula") and isinstance(rule, ops.Play | ops.Chula | ops.Reply)
            expect(fits, where, "stay goes with an event, interrupt or chula as it is played", "HT-10.5")
        case ops.Move(w):
            expect(_is_together(w), where, "move: who moves is of one seat and at one place", "HT-3.4")
        case ops.Dl() | ops.Download():
            _check_download(book, word, timing, where)
        case ops.Tournament() | ops.Drinking():
            expect(timing not in SUBGAME, where, NESTED, "HT-8.1")
        case ops.Enter(_, _, game):
            expect(timing == f"entry_{game[0]}", where, "enter goes with entry_t or entry_d, of its game", "HT-18.10")
        case ops.Pace():
            expect(timing in ("entry_d", "roll_d"), where, "pace goes with entry_d and roll_d", "HT-18.10")
        case ops.Reroll():
            expect(timing == "roll_t", where, "reroll goes with roll_t", "HT-18.10")
        case ops.Cancel():
            expect(timing.startswith("answer_"), where, "cancel goes with a window answer_…", "HT-18.10")


def _check_download(book: Book, word: ops.Dl | ops.Download, timing: str, where: str) -> None:
    kind = word.type if isinstance(word, ops.Download) else ""
    found = [card for card in book.cards.values() if card.id == word.card or card.type == kind]
    windowed = any(card.type in ("interrupt", "chula") for card in found)
    expect(not windowed, where, f"{word.card} is played in its window alone, not downloaded", "HT-18.10")
    expect(timing not in SUBGAME or not any(card.games for card in found), where, NESTED, "HT-8.1")


def _told(word: ops.Word) -> str:
    return snake_case(type(word).__name__)


def _base(w: ops.Target) -> str:
    while not isinstance(w, str):
        w = w.w
    return w


def _stranger(w: ops.Target, card: Card) -> str | None:
    """What of a target is no personnel; None: all of it is."""
    while not isinstance(w, str):
        if isinstance(w, ops.On):
            return "on"
        w = w.w
    return None if w in PERSONNEL or (w == "SELF" and card.type == "personnel") else w


def _is_together(w: ops.Target) -> bool:
    """Whether a target is one personnel, or several of one seat at one place."""
    while not isinstance(w, str):
        if isinstance(w, ops.Best) or (isinstance(w, ops.Pick | ops.Rand) and w.n == 1):
            return True
        w = w.w
    return w in TOGETHER
