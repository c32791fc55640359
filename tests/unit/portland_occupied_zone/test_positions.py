"""Positions (specification, 3.3): what is completed, what is refused, where play begins."""

import pytest

from games.kernel import PositionError


def test_what_is_left_out_is_as_in_a_fresh_set_up(match):
    game = match(pcs={"jorge": {}, "steve": {"hand": []}}, options={"characters_per_seat": 2}, step="1.4")
    jorge, steve = game.state.pcs["jorge"], game.state.pcs["steve"]
    assert (jorge.space, jorge.bricks, jorge.hand) == ("coop", 5, ["peoples_potato"])
    assert (steve.space, steve.hand, steve.slots.apparel) == ("pizza", [], "pizza_handkerchief")
    assert game.state.decks.homebrew["peoples_potato"] == 5
    assert (game.state.supplies.bricks, game.state.lead.holder, len(game.state.decks.shown)) == (30, "jorge", 5)


def test_named_cards_leave_their_decks_and_tokens_their_supplies(match):
    game = match(
        pcs={"steve": {"hand": ["rum", "slice"], "bricks": 2}},
        structures=[{"type": "altar", "anchor": [6, 10], "npcs": 1}],
        buildings={"pizza": {"arson": 1}},
        tokens={"befoul": [[0, 0]]},
        turn={"pc": "steve", "moved": 0},
    )
    state = game.state
    assert state.decks.loot["captains"].count("rum") == 2
    assert state.decks.loot["pizza"].count("slice") == 3
    assert (state.supplies.bricks, state.supplies.npc, state.supplies.arson, state.supplies.befoul) == (38, 20, 11, 7)
    assert state.supplies.structures["altar"] == 0


def test_a_cell_of_something_larger_means_that(match):
    game = match(
        pcs={"steve": {"space": [6, 10]}},
        structures=[{"type": "ball_pit", "anchor": [6, 10]}],
        turn={"pc": "steve", "moved": 0},
    )
    assert game.state.pcs["steve"].space == "s1"


IMPOSSIBLE = [
    ({"pcs": {"steve": {"space": [-1, 0]}}}, "pcs.steve.space"),
    ({"pcs": {"steve": {"space": [8, 1]}}}, "pcs.steve.space"),
    ({"pcs": {"steve": {"space": "courthouse"}}}, "pcs.steve.space"),
    ({"pcs": {"steve": {"space": [6, 1]}}, "checkpoints": [{"site": "n_st37"}]}, "pcs.steve.space"),
    ({"pcs": {"steve": {"injuries": 6}}}, "pcs.steve.injuries"),
    ({"pcs": {"steve": {"stability": "hyper_manic"}}}, "pcs.steve.stability"),
    ({"pcs": {"steve": {"slots": {"weapon": "beret"}}}}, "pcs.steve.slots.weapon"),
    ({"pcs": {"steve": {"hand": ["crown_jewels"]}}}, "pcs.steve.hand"),
    ({"pcs": {"steve": {"hand": ["pizza:rum"]}}}, "pcs.steve.hand"),
    ({"decks": {"shown": ["nap"]}}, "decks.shown"),
    ({"decks": {"loot": {"pizza": ["rum"]}}}, "decks.loot.pizza"),
    ({"lead": {"holder": "kim"}}, "lead.holder"),
    ({"turn": {"pc": "kim"}}, "turn.pc"),
    ({"timed": [{"key": "luck", "until": "turn"}]}, "timed[0].key"),
    ({"dumpsters": {"d1": {"cell": [2, 2]}}}, "dumpsters.d1.cell"),
    ({"agenda": [{"step": "turn_over", "pc": "kim"}]}, "agenda[0]"),
    ({"pcs": {"steve": {"hand": ["slice"] * 5}}}, "hand"),
    ({"pcs": {"steve": {"bricks": 41}}}, "supplies.bricks"),
    ({"pcs": {"andy": {}}}, "pcs.andy"),
    ({"structures": [{"type": "tent", "anchor": [2, 2]}]}, "structures.s1.cells"),
    (
        {"structures": [{"type": "tent", "anchor": [6, 6]}, {"type": "ball_pit", "anchor": [5, 6]}]},
        "structures.s2.cells",
    ),
    ({"structures": [{"type": "altar", "anchor": [6, 6], "npcs": 2}]}, "structures.s1.npcs"),
    ({"structures": [{"type": "palace", "anchor": [6, 6]}]}, "structures.s1.type"),
    ({"structures": [{"type": "bed", "anchor": [6, 6]}, {"type": "bed", "anchor": [8, 6]}]}, "supplies.structures.bed"),
    ({"buildings": {"pizza": {"arson": 3}}}, "buildings.pizza.arson"),
    ({"buildings": {"bank": {}}}, "buildings.bank"),
    ({"population": 3}, "population"),
    ({"plot": "thunder"}, "plot"),
    ({"weather": "fine"}, "position"),
]


@pytest.mark.parametrize(
    ("position", "field"), IMPOSSIBLE, ids=[f"{i}-{field}" for i, (_, field) in enumerate(IMPOSSIBLE)]
)
def test_what_cannot_be_is_refused_by_its_field(match, position, field):
    with pytest.raises(PositionError) as error:
        match(**({"pcs": {"steve": {}}, "step": "1.4"} | position))
    assert str(error.value).startswith(f"{field}")


def test_two_characters_on_the_pulpit_are_refused(match):
    with pytest.raises(PositionError, match="pulpit_taken"):
        match(
            options={"characters_per_seat": 2},
            pcs={"steve": {"space": [6, 10]}, "kim": {"space": [6, 10]}},
            structures=[{"type": "pulpit", "anchor": [6, 10]}],
            step="1.4",
        )


@pytest.mark.parametrize(
    ("begin", "asked"),
    [
        ({"step": "1.4"}, "manage_poz"),
        ({"step": "2.4"}, "turn"),
        ({"turn": {"pc": "steve"}}, "turn"),
        ({"phase": "setup"}, "choose_character"),
    ],
)
def test_play_begins_where_the_position_says(match, begin, asked):
    game = match(**({} if begin.get("phase") else {"pcs": {"steve": {}}}), **begin)
    assert game.asked() == [(0, asked)]


@pytest.mark.parametrize(
    ("options", "seats", "field"),
    [
        ({"tiles": [[0, 0], [1, 0], [2, 0], [2, 1]]}, 1, "options.tiles"),
        ({"tiles": [[1, 1], [0, 1], [2, 1]]}, 1, "options.tiles"),
        ({"tiles": [[1, 1], [0, 1], [2, 1], [3, 1]]}, 1, "options.tiles"),
        ({"tiles": [[1, 1], [0, 0], [2, 1], [1, 2]]}, 1, "options.tiles"),
        ({"characters_per_seat": 5}, 2, "options.characters_per_seat"),
        ({"characters_per_seat": [1, 2]}, 3, "options.characters_per_seat"),
        ({"characters": [["kim"], ["kim"]]}, 2, "options.characters"),
        ({"characters": [["andy"]]}, 1, "options.characters"),
        ({"tiles": [[1, 0], [2, 0], [1, 1], [2, 1]], "characters": [["jack"]]}, 1, "options.characters"),
        ({"cop_cap": [1, 2, 3]}, 1, "options.cop_cap"),
    ],
)
def test_options_that_do_not_go_together_are_refused(match, options, seats, field):
    with pytest.raises(PositionError) as error:
        match(seats=seats, options=options)
    assert str(error.value).startswith(field)


def test_narratives_of_earlier_rounds_are_out_of_play(match):
    game = match(pcs={"steve": {}}, step="1.4", round=10)
    assert (len(game.state.decks.narrative), game.state.decks.standard_left) == (14 + 16, 14)
    game = match(pcs={"steve": {}}, step="1.1", round=10)
    assert (len(game.state.decks.narrative), game.state.decks.standard_left) == (15 + 16, 15)
    commune = [{"type": "commune", "anchor": [9, 9]}]
    game = match(pcs={"steve": {}}, step="1.4", round=30, battle=True, structures=commune)
    assert (len(game.state.decks.narrative), game.state.decks.standard_left) == (10, 0)


def test_who_is_jailed_in_the_battle_is_in_the_commune(match):
    game = match(
        battle=True,
        pcs={"steve": {"status": "jailed"}, "kim": {}},
        structures=[{"type": "commune", "anchor": [9, 10]}],
        lead={"token": "tin_pot", "holder": "kim"},
        seats=2,
    )
    assert (game.state.pcs["steve"].jail, game.state.pcs["steve"].space) == ("commune", "s1")
