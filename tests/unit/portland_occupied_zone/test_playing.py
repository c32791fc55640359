"""What a client has: a view that can be drawn, a game in the terminal, bots that play it (specification, 3.2)."""

import io
import re
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from games.dice import Dice
from games.kernel import SPECTATOR, Setting, decide, decisions, encode, legal, start
from games.portland_occupied_zone.board import board
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.options import Options
from games.portland_occupied_zone.ruleset import RULES
from server.cli import run
from server.search.searcher import choose_by_search

SHORT = {"standard_cards": 1, "battle_cards": 1}
CASES = Path(__file__).parents[2] / "rulebook/portland_occupied_zone"


def made(pack: str, seats: int, options: dict[str, Any]) -> tuple[Game, Dice]:
    setting, dice = Setting(pack, seats, msgspec.convert(options, Options)), Dice(bytes(32))
    RULES.check_setting(setting)
    state = RULES.initial(setting)
    start(RULES, state, setting, dice)
    return state, dice


@pytest.mark.parametrize("tiles", [None, [[1, 0], [2, 0], [1, 1], [2, 1]]])
def test_a_view_alone_is_enough_to_draw_the_table(house: str, tiles: Any) -> None:
    """Whatever lies or stands anywhere is on a cell of the map that is shown, or in something that has such cells."""
    state, dice = made(house, 2, {"tiles": tiles, "standard_cards": 1, "battle_cards": 2})
    chance, drawn = Random(1), 0
    while state.outcome is None:
        shown = msgspec.json.decode(encode(RULES.view(state, SPECTATOR)))
        cells = {(x, y) for y, row in enumerate(shown["map"]["rows"]) for x, c in enumerate(row) if c != " "}
        things = {**shown["map"]["buildings"], **shown["structures"], **shown["checkpoints"]}
        assert all(set(map(tuple, thing["cells"])) <= cells for thing in things.values())
        assert {tuple(token) for kind in shown["tokens"].values() for token in kind} <= cells
        assert {tuple(dumpster["cell"]) for dumpster in shown["dumpsters"].values()} <= cells
        stand = [part.get("space") for part in (*shown["pcs"].values(), *shown["cops"].values())]
        stand += [shown[officer].get("space") for officer in ("jackson", "medic")]
        for space in stand:
            assert space is None or (space in things if isinstance(space, str) else tuple(space) in cells)
        drawn += 1
        answers = {one.seat: found for one in decisions(state) if (found := legal(RULES, state, one.seat))}
        seat = chance.choice(list(answers))
        decide(RULES, state, seat, chance.choice(answers[seat]), dice)
    assert drawn > 20


@pytest.mark.slow
def test_a_game_is_played_in_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], house: str
) -> None:
    """By numbers alone, through a pipe, also past votes in which nothing is left to answer; all is told in words."""
    assert house
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 5000))
    options = "standard_cards=1,battle_cards=1"
    assert run(["play", "portland_occupied_zone", "--seats", "2", "--seed", "3", "--options", options]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "Winner" in told.out or "winner" in told.out
    for tag in (*RULES.effect_types, *RULES.action_types):
        assert "_" not in tag or tag not in told.out, f"{tag} is not told in words"


@pytest.mark.slow
def test_search_bots_play_a_game_to_its_end(house: str) -> None:
    state, dice = made(house, 2, SHORT)
    searched = 0
    while state.outcome is None:
        seat = next(one.seat for one in decisions(state) if one.owes)
        before = encode(state)
        action = choose_by_search(RULES, state, seat, 2, bytes(32))
        assert encode(state) == before, "searching changes nothing"
        searched += len(legal(RULES, state, seat)) > 1
        decide(RULES, state, seat, action, dice)
    assert searched > 20


def test_every_card_power_plan_and_example_has_a_case(house: str) -> None:
    """Each is named in a case; worked examples and tricky cases have one of their number."""
    text = "".join(path.read_text("utf-8") for path in sorted(CASES.glob("*.yaml"))).lower()
    here = board(house, None)
    named = {*here.cards, *here.structures, *here.plans, *here.aktions, *here.narratives, *here.characters}
    assert sorted(name for name in named if name not in text) == []
    powers = [power for pc in here.pack.characters for power in pc.powers]
    assert [power.id for power in powers if power.id not in text and power.name.lower() not in text] == []
    ids = set(re.findall(r"^ +id: poz-([et]\d+)$", text, re.MULTILINE))
    assert {f"e{number}" for number in range(1, 16)} | {f"t{number}" for number in range(1, 51)} == ids
