"""Which positions are impossible (specification, 3.3): the tests, in the order in which later ones rest on earlier."""

from msgspec import UNSET

from games.kernel.positions import impossible
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.leading import population
from games.portland_occupied_zone.pending import check_agenda
from games.portland_occupied_zone.position_doc import PositionDoc
from games.portland_occupied_zone.possible import check_pieces
from games.portland_occupied_zone.possible_counts import check_counts
from games.portland_occupied_zone.possible_people import check_people
from games.portland_occupied_zone.possible_police import check_police
from games.portland_occupied_zone.possible_round import check_round


def check(game: Game, doc: PositionDoc, fresh: Game) -> None:
    """Refuse a position that cannot be; `fresh` is the same game as it is laid out.

    Raises:
        PositionError: a sentence that names the field.
    """
    check_counts(game, fresh)
    check_pieces(game)
    check_people(game)
    check_police(game)
    check_round(game)
    if doc.population is not UNSET and doc.population != population(game):
        impossible("population", f"it is {population(game)}")
    check_agenda(game)
