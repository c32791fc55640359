"""Turns (specification, 4.5), by its worked examples (7) and tricky cases (8)."""

import pytest

from games.kernel import EVERYONE, IllegalError
from games.portland_occupied_zone.board import board
from games.portland_occupied_zone.modifiers import bricks_total, hand_limit, move_rate
from games.portland_occupied_zone.ruleset import RULES


def tags(effects):
    return [effect["effect"] for effect in effects if effect["effect"] not in ("agenda_set", "answered")]


def refused(game, seat, action, **fields):
    with pytest.raises(IllegalError) as error:
        game.do(seat, action, **fields)
    return error.value.rule, error.value.reason


def test_e4_magic_pink_is_slow_without_the_scooter(match):
    game = match(pcs={"magic_pink": {}}, turn={"pc": "magic_pink"})
    assert move_rate(game.state, "magic_pink") == 6
    game.do(0, "unequip", slot="acc1")
    assert move_rate(game.state, "magic_pink") == 4


@pytest.mark.parametrize(("start", "end", "option"), [(2, 2, "turn"), (3, 3, "turn"), (2, 4, "lasting")])
def test_e5_meth_works_for_one_turn(match, start, end, option):
    game = match(
        options={"drug_stability": option},
        pcs={"steve": {"hand": ["meth"], "bricks": 2, "stability": start, "space": [6, 10], "injuries": 0}},
        turn={"pc": "steve", "equip_open": False},
    )
    game.do(0, "use_card", card="meth")
    steve = game.state.pcs["steve"]
    assert (steve.stability, steve.bricks, move_rate(game.state, "steve")) == (4, 6, 5 + 2 + 1)
    assert game.state.decks.homebrew["meth"] == 3
    game.do(0, "end_turn")
    assert (steve.stability, steve.injuries, steve.bricks) == (end, 2, 6)
    assert game.state.decks.homebrew["meth"] == 4
    assert steve.drug_tail == []


def test_e6_three_hits_take_three_cards_and_earn_crapulence(match):
    game = match(
        dice=("thin",) * 3, pcs={"steve": {"space": "pizza", "bricks": 5, "hand": []}}, turn={"pc": "steve", "moved": 0}
    )
    told = game.do(0, "loot", b=3)
    assert tags(told) == ["equipping_closed", "bricks_thrown", "loot_drawn", "crapulence_changed"]
    steve = game.state.pcs["steve"]
    assert (len(steve.hand), steve.bricks, steve.crap) == (3, 2, 2)


def test_e8_a_burning_building_hurts_once_a_round(match):
    game = match(
        pcs={"steve": {"space": [3, 16]}},
        buildings={"pizza": {"arson": 2}},
        turn={"pc": "steve", "moved": 0},
    )
    game.do(0, "step", space="pizza")
    assert game.state.pcs["steve"].injuries == 2
    game.do(0, "step", space=[3, 16])
    game.do(0, "step", space="pizza")
    assert game.state.pcs["steve"].injuries == 2


def test_t24_pushes_cost_two(match):
    game = match(
        pcs={"kim": {"space": [8, 2], "stability": "sad", "slots": {}}},
        turn={"pc": "kim", "moved": 0},
        dumpsters={"d1": {"cell": [8, 3]}},
    )
    assert move_rate(game.state, "kim") == 4
    game.do(0, "push_dumpster", dumpster="d1", direction="s")
    game.do(0, "push_dumpster", dumpster="d1", direction="s")
    assert game.state.dumpsters["d1"].cell == (8, 5)
    assert game.state.pcs["kim"].space == (8, 4)
    assert refused(game, 0, "step", space=[8, 3]) == ("POZ-TRN-5", "no_movement_left")


def test_t26_a_respirator_frees_from_gas(match):
    game = match(
        pcs={"kim": {"space": [6, 10], "hand": ["cybergoth_respirator"], "slots": {}}},
        tokens={"gas": [[6, 10], [6, 11]]},
        turn={"pc": "kim"},
    )
    assert game.state.turn.in_gas
    assert refused(game, 0, "discard", card="cybergoth_respirator") == ("POZ-GAS-4", "in_gas")
    told = game.do(0, "equip", card="cybergoth_respirator", slot="apparel")
    assert tags(told) == ["equipped", "gas_noticed"]
    assert not game.state.turn.in_gas
    game.do(0, "step", space=[6, 11])
    assert game.state.pcs["kim"].awake


def test_t26_a_step_into_other_gas_knocks_out(match):
    game = match(
        dice=({"foul": 1},),
        pcs={"steve": {"space": [6, 10]}},
        tokens={"gas": [[6, 10], [6, 11]]},
        turn={"pc": "steve"},
        decks={"disease": ["head_lice"]},
    )
    told = game.do(0, "step", space=[6, 11])
    assert tags(told)[:6] == [
        "equipping_closed",
        "stepped",
        "knocked_out",
        "die_rolled",
        "disease_contracted",
        "cleaned",
    ]
    assert game.state.tokens.gas == [(6, 10)]
    assert game.state.pcs["steve"].status == "ko"


def test_t29_stealing_needs_a_hand(match):
    game = match(
        seats=2,
        pcs={
            "steve": {"space": [6, 10], "seat": 0, "bricks": 5, "slots": {}},
            "allison": {"space": [6, 10], "seat": 1, "bricks": 0, "hand": []},
        },
        turn={"pc": "steve", "moved": 0},
        dice=("end", "end"),
    )
    game.do(0, "attack", pc="allison")
    game.do(0, "commit_bricks", pc="steve", b=2)
    assert game.asked() == [(0, "choose_outcome")]
    assert {one["outcome"] for one in game.legal(0)} == {"injure", "shove"}


def test_t39_garbage_day_replaces_the_dive(match):
    game = match(
        pcs={"allison": {"space": [6, 10], "hand": []}},
        plot="garbage_day",
        decks={"garbage": ["slice", "slice", "granola", "rum"]},
        turn={"pc": "allison", "moved": 0},
    )
    assert [one["dumpster"] for one in game.legal(0, "dumpster_dive")] == [None]
    game.do(0, "dumpster_dive")
    assert {one["back"] for one in game.legal(0)} == {"pizza", "coop", "captains"}
    for back in ("pizza", "coop", "captains"):
        assert game.asked() == [(0, "pick_back")]
        game.do(0, "pick_back", back=back)
    assert sorted(game.state.pcs["allison"].hand) == ["granola", "rum", "slice"]
    assert refused(game, 0, "dumpster_dive") == ("POZ-TRN-9", "once_a_turn")


def test_t42_the_supply_may_run_dry(match):
    game = match(pcs={"kim": {"space": [6, 10], "bricks": 1}}, supplies={"bricks": 3}, turn={"pc": "kim"})
    assert bricks_total(game.state, "kim") == 7
    assert game.state.pcs["kim"].bricks == 4
    assert game.state.supplies.bricks == 0


def test_t44_a_big_hand_bars_the_end_of_a_turn(match):
    game = match(
        pcs={"steve": {"space": [4, 19], "hand": ["slice"] * 4 + ["granola"] * 3 + ["rum"], "slots": {}}},
        buildings={"pizza": {"arson": 1}},
        turn={"pc": "steve"},
    )
    assert hand_limit(game.state, "steve") == 7
    assert refused(game, 0, "end_turn") == ("POZ-LOT-5", "hand_too_big")
    assert refused(game, 0, "extinguish", target="pizza") == ("POZ-LOT-5", "hand_too_big")
    game.do(0, "discard", card="rum")
    assert refused(game, 0, "extinguish", target="pizza") == ("POZ-ARS-22", "acted_already")
    assert game.legal(0, "end_turn")


def test_t16_a_knock_out_costs_one_turn(match):
    game = match(
        seats=2,
        pcs={
            "steve": {"seat": 0, "space": [6, 10], "status": "ko", "skip": 1, "injuries": 3},
            "jeff": {"seat": 1, "space": [6, 12]},
        },
        turn={"pc": "steve"},
        round=7,
    )
    assert "turn_lost" in tags(game.effects)
    assert game.asked() == [(1, "turn")]
    steve = game.state.pcs["steve"]
    assert (steve.status, steve.skip, steve.injuries) == ("ko", 0, 3)


def test_a_ball_pit_heals_who_rests_in_it(match):
    game = match(
        pcs={"steve": {"space": "s1", "injuries": 3}},
        structures=[{"type": "ball_pit", "anchor": [6, 10]}],
        turn={"pc": "steve"},
    )
    game.do(0, "end_turn")
    assert game.state.pcs["steve"].injuries == 0


def test_tunnels_join_burnt_businesses_and_end_the_turn(match):
    game = match(
        pcs={"steve": {"space": [3, 18]}},
        buildings={"pizza": {"standing": False}, "coop": {"standing": False}},
        turn={"pc": "steve", "moved": 0},
    )
    assert game.legal(0, "use_tunnel") == [{"action": "use_tunnel", "entrance": "coop"}]
    told = game.do(0, "use_tunnel", entrance="coop")
    assert game.state.pcs["steve"].space == (17, 3)
    assert "turn_ended" in tags(told)


def test_walls_have_doors(match):
    game = match(pcs={"steve": {"space": "pizza"}}, turn={"pc": "steve"})
    assert [one["space"] for one in game.legal(0, "step")] == [(3, 16)]
    assert refused(game, 0, "step", space=[2, 16]) == ("POZ-ARS-24", "no_door_there")
    game.do(0, "step", space=[3, 16])
    assert refused(game, 0, "step", space=[4, 15]) == ("POZ-TRN-6", "not_next_to_it")
    assert refused(game, 0, "equip", card="slice", slot="weapon") == ("POZ-TRN-3", "equipping_over")


def test_t38_an_exchange_takes_the_larger_first(match):
    game = match(
        pcs={"steve": {}},
        step="1.4",
        structures=[
            {"type": "ball_pit", "anchor": [4, 6]},
            {"type": "tent", "anchor": [8, 6]},
            {"type": "weed_farm", "anchor": [8, 13]},
        ],
    )
    game.do(0, "exchange_structures", type="potato_patch")
    game.do(0, "place_structure", anchor=[12, 13])
    assert game.asked() == [(0, "manage_poz")], "both are forced: the Ball Pit first, then the tent"
    assert [thing.type for thing in game.state.structures.values()] == ["weed_farm", "potato_patch"]


def test_t38_without_the_tent_it_is_too_dear(match):
    game = match(
        pcs={"steve": {}},
        step="1.4",
        structures=[{"type": "ball_pit", "anchor": [4, 6]}, {"type": "weed_farm", "anchor": [8, 13]}],
    )
    assert refused(game, 0, "exchange_structures", type="potato_patch") == ("POZ-R67", "too_dear")


def test_t37_nothing_superfluous_goes(match):
    game = match(
        seats=1,
        pcs={"steve": {}},
        battle=True,
        step="1.4",
        structures=[
            {"type": "altar", "anchor": [4, 6]},
            *({"type": "tent", "anchor": [x, 6]} for x in (5, 8, 9)),
            {"type": "commune", "anchor": [9, 9]},
        ],
    )
    told = game.do(0, "propose_redraw")
    assert "structure_removed" in tags(told), "the altar is the only legal first answer"
    assert [one["structure"] for one in game.legal(0, "remove_structure")] == ["s2", "s3", "s4"]
    game.do(0, "remove_structure", structure="s3")
    assert game.asked() == [(0, "manage_poz")]
    assert len(game.state.decks.shown) == 5


def test_t20_a_vote_without_agreement_fails(match):
    game = match(
        seats=3,
        pcs={"magic_pink": {"seat": 0}, "jorge": {"seat": 1}, "steve": {"seat": 2}},
        step="1.1",
        orders={"aktion": (("zine_drive",),)},
    )
    for seat, option in ((0, "a"), (1, "a"), (2, "b")):
        game.do(seat, "cast_vote", option=option)
    for seat in range(3):
        game.do(seat, "stand_firm")
    assert {name: pc.stability for name, pc in game.state.pcs.items()} == {"magic_pink": 0, "jorge": 1, "steve": 0}
    assert game.state.decks.aktion_discard == ["zine_drive"]


def test_a_unanimous_vote_passes_at_once(match):
    game = match(
        seats=2, pcs={"jorge": {"seat": 0}, "steve": {"seat": 1}}, step="1.1", orders={"aktion": (("zine_drive",),)}
    )
    game.do(1, "cast_vote", option="b")
    game.do(0, "cast_vote", option="b")
    assert [pc.crap for pc in game.state.pcs.values()] == [1, 1]


def test_t46_a_reduced_map(match):
    game = match(options={"tiles": [[1, 0], [2, 0], [1, 1], [2, 1]], "characters_per_seat": 3})
    assert game.asked() == [(0, "choose_character")]
    here = board(game.state.pack, game.state.options.tiles)
    assert here.arrows["n", "blue"].cells == ((7, 0),)
    assert here.arrows["n", "blue"].site_cells == ((7, 1),)
    assert here.arrows["w", "blue"].cells == ((7, 6), (7, 7))
    assert here.arrows["w", "blue"].site_cells == ((8, 6), (8, 7))
    assert {one["pc"] for one in game.legal(0)} == {"allison", "jorge", "kim"}


def test_the_twin_of_a_card_put_on_this_turn_still_comes_off(match):
    """POZ-TRN-3: two copies are two cards; only the one put on this turn is locked."""
    game = match(
        pcs={"steve": {"hand": ["messenger_bag", "dust_mask"], "slots": {"acc1": "messenger_bag"}}},
        turn={"pc": "steve", "equip_open": True},
    )
    game.do(0, "equip", card="messenger_bag", slot="acc2")
    assert [action["slot"] for action in game.legal(0, "unequip")] == ["acc1"]
    assert [action["slot"] for action in game.legal(0, "equip")] == ["acc1"]
    assert refused(game, 0, "unequip", slot="acc2") == ("POZ-TRN-3", "equipped_this_turn")
    game.do(0, "unequip", slot="acc1")
    assert game.state.pcs["steve"].hand == ["dust_mask", "messenger_bag"]


def test_a_card_dropped_by_chance_tells_everybody(match):
    """9.2: every random pick is a revelation, so that undoing it needs the consent of all."""
    game = match(
        pcs={"steve": {"hand": ["rum", "slice"]}},
        step="1.1",
        decks={"aktion": ["bake_sale"]},
        dice=("rum",),
    )
    assert game.asked() == [(0, "vote")]
    dropped = next(one for one in game.do(0, "cast_vote", option="a") if one.get("card") == "rum")
    assert dropped["effect"] == "card_dropped"
    assert RULES.effect_types["card_dropped"].tells == EVERYONE
    assert (game.state.pcs["steve"].hand, game.state.decks.garbage) == (["slice"], ["rum"])
