"""What is under way between seats (specification, 3.1): it is there while the agenda goes on with it, and fits."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from games.kernel import Step
from games.kernel.positions import impossible
from games.portland_occupied_zone import all_steps as steps
from games.portland_occupied_zone.effects.governing import ANY, BRICK
from games.portland_occupied_zone.fighting import DUMPSTER
from games.portland_occupied_zone.places import footprint, open_ground
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.trading import asked_cards
from games.portland_occupied_zone.steps.voting import LETTERS, eligible
from games.portland_occupied_zone.tasks import building
from games.portland_occupied_zone.underway import Ballot, Combat, Exchange, Offer


def check_underway(state: State) -> None:
    """Refuse a vote, an offer, an exchange, a fight or an Aktion that does not fit.

    Raises:
        PositionError: a sentence that names the field.
    """
    for field, kinds in CARRIED_ON.items():
        pending = [step for step in state.agenda if isinstance(step, kinds) and not _is_answered(step)]
        if (getattr(state, field) is not None) != bool(pending):
            impossible(field, "it is under way exactly while the agenda goes on with it")
    for field, fits, sentence in FITS:
        if not fits(state):
            impossible(field, sentence)


#: The steps that go on with what is under way.
CARRIED_ON: Final[Mapping[str, tuple[type[Step], ...]]] = {
    "aktion": (steps.DiscardAktion,),
    "ballot": (steps.Vote,),
    "offer": (steps.BuildOffer,),
    "exchange": (steps.PayExchange,),
    "combat": (steps.Combat, steps.ChooseOutcome),
}


def _is_answered(step: Step) -> bool:
    """A fight is over when its outcome has been chosen."""
    return isinstance(step, steps.ChooseOutcome) and not step.seats


def _votes(test: Callable[[State, Ballot], bool]) -> Callable[[State], bool]:
    return lambda state: state.ballot is None or test(state, state.ballot)


def _offers(test: Callable[[State, Offer], bool]) -> Callable[[State], bool]:
    return lambda state: state.offer is None or test(state, state.offer)


def _buys(test: Callable[[State, Exchange], bool]) -> Callable[[State], bool]:
    return lambda state: state.exchange is None or test(state, state.exchange)


def _fights(test: Callable[[State, Combat], bool]) -> Callable[[State], bool]:
    return lambda state: state.combat is None or test(state, state.combat)


def _is_about(state: State, ballot: Ballot) -> bool:
    """An option of the Aktion, a new Speaker among the living, or new plans (ALG-VOTE)."""
    vote = next(step for step in state.agenda if isinstance(step, steps.Vote))
    if vote.purpose == "lead":
        living = tuple(name for name, pc in state.pcs.items() if pc.alive)
        return ballot.options == living and not ballot.unanimous
    return ballot.options == (LETTERS if vote.purpose == "aktion" else ("yes", "no")) and ballot.unanimous


def _is_voted(state: State, ballot: Ballot) -> bool:
    return set(ballot.votes) <= set(range(state.seats)) and set(ballot.votes.values()) <= set(ballot.options)


def _is_firm(state: State, ballot: Ballot) -> bool:
    """Who stands firm has voted, as all have."""
    firm = ballot.firm
    all_voted = all(seat in ballot.votes for seat in eligible(state))
    return len(set(firm)) == len(firm) and set(firm) <= set(ballot.votes) and (all_voted or not firm)


def _is_counted(state: State, ballot: Ballot) -> bool:
    return all(
        seat in range(state.seats) and n >= 0 for count in (ballot.changes, ballot.offers) for seat, n in count.items()
    )


def _trade(state: State, offer: Offer) -> bool:
    return offer.pc != offer.to and state.pcs[offer.pc].awake and state.pcs[offer.to].awake


def _has_items(state: State, offer: Offer) -> bool:
    """Hand cards of the one who offers, and bricks in a vote (POZ-VOT-4)."""
    cards = Counter(item for item in offer.items if item != BRICK)
    return cards <= Counter(state.pcs[offer.pc].hand) and _bricks(state, offer.pc, offer.items)


def _bricks(state: State, pc: str, side: list[str]) -> bool:
    return side.count(BRICK) <= (0 if state.ballot is None else state.pcs[pc].bricks)


def _has_asks(state: State, offer: Offer) -> bool:
    """Backs that the other hand shows, any others as long as there are cards, bricks in a vote."""
    hand = Counter(map(state.board.back, state.pcs[offer.to].hand))
    backs = Counter(back for back in offer.asks if back not in (ANY, BRICK))
    fits = backs <= hand and len(asked_cards(offer)) <= hand.total()
    return fits and _bricks(state, offer.to, offer.asks)


def _has_given(state: State, offer: Offer) -> bool:
    """Cards of the other hand, in the order in which they are asked for; chosen after the offer was accepted."""
    asks = asked_cards(offer)
    if not Counter(offer.given) <= Counter(state.pcs[offer.to].hand) or len(offer.given) > len(asks):
        return False
    fits = all(back in (ANY, state.board.back(card)) for card, back in zip(offer.given, asks, strict=False))
    return fits and (not offer.given or _is_accepted(state))


def _is_accepted(state: State) -> bool:
    return any(isinstance(step, steps.RespondTrade) and step.accepted for step in state.agenda)


def _is_sent(state: State, offer: Offer) -> bool:
    """Something is in it, and the other one is asked."""
    return offer.sent == any(isinstance(step, steps.RespondTrade) for step in state.agenda) and (
        not offer.sent or bool(offer.items or offer.asks)
    )


def _is_bought(state: State, deal: Exchange) -> bool:
    kind = state.board.structures.get(deal.type)
    return kind is not None and kind.buyable and state.supplies.structures[deal.type] > 0


def _is_paid(state: State, deal: Exchange) -> bool:
    """With some of the structures that can be given for it, not all of its price yet (POZ-GOV-8)."""
    payable = building.eligible(state, deal.type)
    once = len(set(deal.given)) == len(deal.given) and set(deal.given) <= payable.keys()
    return once and building.given_total(state) < state.board.structures[deal.type].pop


def _will_stand(state: State, deal: Exchange) -> bool:
    """On ground that is open when what is given is gone."""
    kind, cells = state.board.structures[deal.type], deal.cells
    if not cells or not open_ground(state, deal.given).issuperset(cells):
        return False
    if kind.size is None:
        return cells in state.board.sites.values()
    return any(cells == footprint(kind.size, cells[0], turned=turned) for turned in (False, True))


def _are_up(state: State, fight: Combat) -> bool:
    """The one whose turn it is attacks another one awake."""
    turn = state.turn
    awake = state.pcs[fight.attacker].awake and state.pcs[fight.defender].awake
    return fight.attacker != fight.defender and awake and turn is not None and turn.pc == fight.attacker


def _has_its_bonus(state: State, fight: Combat) -> bool:
    """That of a burning dumpster, which is pushed (POZ-DUM-10)."""
    pushed = [step.primary for step in state.agenda if isinstance(step, steps.AfterPush)]
    return fight.bonus == (DUMPSTER if pushed else 0) and pushed in ([], [fight.defender])


def _is_declared(state: State, fight: Combat) -> bool:
    least = {fight.attacker: int(not fight.bonus), fight.defender: 0}
    return all(pc in least and least[pc] <= b <= state.pcs[pc].bricks for pc, b in fight.declared.items())


def _is_asked(state: State, fight: Combat) -> bool:
    """Who has not declared declares, one seat for both the attacker first; after that the winner chooses."""
    pending = [step for step in state.agenda if isinstance(step, steps.Combat)]
    if not pending:
        return fight.won_by is not None and fight.won_by > 0 and not fight.declared
    due = [pc for pc in (fight.defender, fight.attacker) if pc not in fight.declared]
    seats = {pc: state.seat_of(pc) for pc in (fight.attacker, fight.defender)}
    if len(set(seats.values())) == 1:
        asked = [steps.Combat(seats=(seats[pc],), pc=pc, last=pc == fight.defender) for pc in due]
    else:
        asked = [steps.Combat(seats=tuple(sorted(seats[pc] for pc in due)), last=True)]
    return fight.won_by is None and bool(due) and pending == asked and fight.defender in (*due, *fight.declared)


#: What is under way: the field, whether it fits.
FITS: Final[tuple[tuple[str, Callable[[State], bool], str], ...]] = (
    ("ballot.options", _votes(_is_about), "they are those of what the vote is about"),
    ("ballot.votes", _votes(_is_voted), "seats vote for options"),
    ("ballot.firm", _votes(_is_firm), "who stands firm has voted, as all have"),
    ("ballot", _votes(_is_counted), "changes and offers are counted by seats"),
    ("offer.to", _offers(_trade), "two characters awake trade"),
    ("offer.items", _offers(_has_items), "they are in the hand, bricks in a vote"),
    ("offer.asks", _offers(_has_asks), "they are backs in the other hand, bricks in a vote"),
    ("offer.given", _offers(_has_given), "they are what is asked for, and the offer is accepted"),
    ("offer.sent", _offers(_is_sent), "an offer with something in it is answered when it is made"),
    ("exchange.type", _buys(_is_bought), "it cannot be bought"),
    ("exchange.given", _buys(_is_paid), "they are structures that can be given for it, and not its whole price"),
    ("exchange.cells", _buys(_will_stand), "it cannot stand there"),
    ("combat", _fights(_are_up), "the character whose turn it is attacks another one awake"),
    ("combat.bonus", _fights(_has_its_bonus), "it is that of a burning dumpster that is pushed"),
    ("combat.declared", _fights(_is_declared), "it is a number of bricks that they have"),
    ("combat", _fights(_is_asked), "who has not declared is asked, then the winner"),
)
