"""The notes on undo of Host Tournament (specification, section 9), row by row: whom taking back an act asks."""

import json

import pytest

from server.rewinding import RewindWish, rewind
from tests.integration.commands.shell import Shell

OWN = None
NEEDS_BOB, NEEDS_ANN = [1], [0]
PLAYERS = ["ann", "bob"]

TABLE = {
    "long_table1": {"card": "long_table", "owner": 0},
    "bent_corner1": {"card": "bent_corner", "owner": 0},
    "tamsin1": {"card": "tamsin", "owner": 0, "at": "bent_corner"},
    "ines1": {"card": "ines", "owner": 0, "at": "bent_corner"},
    "callan1": {"card": "callan", "owner": 1, "at": "bent_corner"},
}
TIRED = TABLE | {"jonty1": {"card": "jonty", "owner": 0, "at": "bent_corner", "stop": 2}}
CROWD = ("ringo_ambassador", "yusra", "anneke", "delphine")
RINGO = TABLE | {"common_room_nine1": {"card": "common_room_nine", "owner": 0}}
RINGO |= {f"{card}1": {"card": card, "owner": 0, "at": "common_room_nine"} for card in CROWD}
QUIZ = TABLE | {"odile_quizmaster1": {"card": "odile_quizmaster", "owner": 0, "at": "bent_corner"}}


def position(ann, bob=("fire_alarm", "the_station"), table=TABLE, **more):
    seats = [{"hand": list(ann), "deck": ["host_tournament", *["pint"] * 5]}, {"hand": list(bob), "deck": ["pint"] * 5}]
    return {"turn": 3, "seats": seats, "in_play": table, "agenda": [{"step": "main_action", "seats": [0]}], **more}


def play(card, target=None):
    return {"action": "play_card", "card": card, "target": target}


MOVE = {"action": "move_group", "from": "bent_corner", "to": "long_table"}
PASS = {"action": "pass", "rest": "window"}
AUTO = {"action": "set_auto_pass", "kinds": ["roll"]}
SESSION = play("drinking_session", "bent_corner")
ENTER = {"action": "choose_entrants", "cards": ["tamsin1"]}
ENTER_BOB = {"action": "choose_entrants", "cards": ["callan1"]}
OPENS = {"entry_order": "active_first"}

#: from which position, what is done before (player, action), what is taken back, whom that asks, by which options
ROWS = {
    "set_auto_pass": (position(["pint"]), [], ("ann", AUTO), OWN, {}),
    "set_auto_pass of the seat not asked": (position(["pint"]), [], ("bob", AUTO), OWN, {}),
    "an own sealed Throw while the other is not in": (
        {"phase": "first_player", "agenda": [{"step": "throw", "seats": [0, 1]}]},
        [],
        ("ann", {"action": "throw", "choice": "paper"}),
        OWN,
        {},
    ),
    "ThrowsRevealed": (
        {"phase": "first_player", "agenda": [{"step": "throw", "seats": [0, 1]}]},
        [("ann", {"action": "throw", "choice": "paper"})],
        ("bob", {"action": "throw", "choice": "stone"}),
        NEEDS_ANN,
        {},
    ),
    "CardAnnounced": (position(["fresher"]), [], ("ann", play("fresher", "bent_corner")), NEEDS_BOB, {}),
    "CardAnnounced of an interrupt": (
        position(["fresher"], ["round_on_the_house", "fire_alarm"]),
        [("ann", {"action": "end_turn", "draw": 0})],
        ("bob", {"action": "play_interrupt", "card": "round_on_the_house", "target": "bent_corner"}),
        NEEDS_ANN,
        {},
    ),
    "CardAnnounced by a special download": (
        position([], table=RINGO),
        [],
        (
            "ann",
            {
                "action": "special_download",
                "source": "ringo_ambassador1",
                "index": 0,
                "zone": "deck",
                "target": "common_room_nine",
            },
        ),
        NEEDS_BOB,
        {},
    ),
    "MoveAnnounced": (position([]), [("ann", MOVE)], ("ann", {"action": "set_off"}), NEEDS_BOB, {}),
    "a group that gathers": (position([]), [], ("ann", MOVE), NEEDS_BOB, {}),
    "who stays behind": (
        position([]),
        [("ann", MOVE)],
        ("ann", {"action": "leave_behind", "card": "ines1"}),
        NEEDS_BOB,
        {},
    ),
    "Passed": (position(["fresher"]), [("ann", play("fresher", "bent_corner"))], ("bob", PASS), NEEDS_ANN, {}),
    "Passed by a preference set while asked": (
        position(["fresher"]),
        [("ann", play("fresher", "bent_corner"))],
        ("bob", {"action": "set_auto_pass", "kinds": ["after_action"]}),
        NEEDS_ANN,
        {},
    ),
    "PlaceOpened": (position(["house_party"]), [], ("ann", play("house_party", "leeds")), NEEDS_BOB, {}),
    "an ability": (
        position([], table=TIRED),
        [],
        ("ann", {"action": "use_ability", "source": "ines1", "index": 0}),
        NEEDS_BOB,
        {},
    ),
    "the folder": (position(["pint"]), [], ("ann", {"action": "sort_folder"}), NEEDS_BOB, {}),
    "PersonaSwapped": (
        position(["odile_president"], table=QUIZ, fresh=[0]),
        [],
        ("ann", {"action": "swap_persona", "out": "odile_quizmaster1", "in": "odile_president"}),
        NEEDS_BOB,
        {},
    ),
    "the end of the turn": (position([]), [], ("ann", {"action": "end_turn", "draw": 0}), NEEDS_BOB, {}),
    "an own sealed Entry while the other is not in": (
        position(["drinking_session"]),
        [("ann", SESSION)],
        ("ann", ENTER),
        OWN,
        {},
    ),
    "EntrantsRevealed": (
        position(["drinking_session"]),
        [("ann", SESSION), ("ann", ENTER)],
        ("bob", ENTER_BOB),
        NEEDS_ANN,
        {},
    ),
    "an Entry that is open": (position(["drinking_session"]), [("ann", SESSION)], ("ann", ENTER), NEEDS_BOB, OPENS),
}


@pytest.mark.parametrize("row", ROWS)
async def test_undo_asks_whom_the_notes_say(row):
    state, before, (player, action), asked, options = ROWS[row]
    shell = Shell()
    options = options if state.get("phase") else options | {"first_player": 0}
    game = await shell.position(PLAYERS, state, ruleset="host_tournament", undo="fair", options=options)
    for one, earlier in before:
        await shell.act(game, one, earlier)
    version = (await shell.events(game))[-1].header.version
    await shell.act(game, player, action)
    given = json.loads(await rewind(shell.games, shell.ask(player), game, RewindWish(to=version), redo=False))
    assert (given["request"]["asked"] if given["request"] else None) == asked
