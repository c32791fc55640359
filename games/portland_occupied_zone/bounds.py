"""How many decisions a game takes at most (specification, 4.10)."""

from games.portland_occupied_zone.options import BATTLE_MAX, CHANGES_MAX, OFFERS_MAX, STANDARD_MAX, Options
from games.portland_occupied_zone.steps.trading import SIDE_MAX

#: Begun, filled on both sides, made, answered; what was asked for, chosen card by card.
OFFER_MAX = 1 + 2 * SIDE_MAX + 1 + 1 + SIDE_MAX
#: The Aktion, and other plans.
VOTES_MAX = 2
#: All else in a turn, and in a round beside turns and votes: bricks, movement, cards, uses and what they cause. These
#: are generous, not derived: several times what players who do all they can have been seen to find.
TURN_MAX, ROUND_MAX = 150, 200
#: The options of the longest game.
LONGEST = Options(
    standard_cards=STANDARD_MAX, battle_cards=BATTLE_MAX, vote_changes=CHANGES_MAX, trade_offers=OFFERS_MAX
)


def decisions_max(options: Options, seats: int) -> int:
    """The most decisions of a game with these options, in a pack whose characters do as much as those of the house."""
    characters = sum(options.counts(seats))
    rounds = options.standard_cards + options.battle_cards
    turns = characters * (options.trade_offers * OFFER_MAX + TURN_MAX)
    # Nothing is voted on in the battle (POZ-DIC-12).
    votes = options.standard_cards * VOTES_MAX * _vote_max(options, seats)
    return characters + 1 + votes + rounds * (turns + ROUND_MAX)


def _vote_max(options: Options, seats: int) -> int:
    """Each seat votes and changes; after any change of anybody all may stand firm anew (ALG-VOTE); and they trade."""
    changes = seats * options.vote_changes
    return seats + changes + seats * (1 + changes) + seats * options.trade_offers * OFFER_MAX
