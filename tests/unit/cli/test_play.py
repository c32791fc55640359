"""`play`: a whole game through a pipe, undo and redo, help and search, and leaving."""

import io

import pytest


@pytest.fixture
def typing(monkeypatch, turnlog):
    """Plays with these lines as input."""

    def play(lines, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return turnlog("play", "tpoc", "--seed", "3", *arguments)

    return play


def test_a_game_is_played_to_its_end_and_its_replay_verifies(typing, turnlog):
    told = typing(["1"] * 100, "--replay", "mine.ndjson")
    assert told.code == 0
    assert "Winner: " in told.out
    assert turnlog("verify", "mine.ndjson").code == 0


def test_the_same_seed_and_answers_give_the_same_game(typing):
    assert typing(["1"] * 100).out == typing(["1"] * 100).out
    assert typing(["1"] * 100).out != typing(["2"] * 100).out


def test_another_seat_and_number_of_seats(typing):
    told = typing(["q"], "--seats", 5, "--seat", 4)
    assert "You are seat 4 of 5" in told.out
    assert "seat 4: Hand" in told.out
    assert "seat 3: Cards in hand" in told.out


def test_actions_are_numbered_and_grouped_by_type(typing):
    told = typing(["1", "q"])
    assert "  Play a card\n      1  Play " in told.out
    assert "Take one of the five actions" in told.out


def test_undo_takes_back_and_redo_brings_again(typing):
    told = typing(["1", "1", "u", "r", "q"])
    assert "goes back to version" in told.out
    assert told.out.count("goes back to version") == 2


def test_nothing_can_be_undone_before_the_first_action(typing):
    assert "You have done nothing yet" in typing(["u", "q"]).out


def test_help_the_table_all_actions_and_search(typing):
    told = typing(["?", "v", "l", "grey green/red", "elephant", "99999", "q"])
    assert "undo your last action" in told.out
    assert told.out.count("Phase: setup") == 2
    assert "No action has the words 'elephant'" in told.out
    assert "There are actions 1 to" in told.out
    found = told.out.split("seat 0> grey green/red\n")[1].split("seat 0>")[0].splitlines()[1:]
    assert found
    assert all("grey" in line and "green/red" in line for line in found)


def test_a_long_list_is_cut_and_says_so(typing):
    told = typing(["q"])
    assert "more: type l for all" in told.out


def test_resigning_is_possible_and_bots_play_on(typing):
    told = typing(["1", "resign", *["1"] * 60])
    assert "Winner: seat " in told.out
    assert "Winner: seat 0" not in told.out


@pytest.mark.parametrize("lines", [["q"], []])
def test_leaving_and_the_end_of_input_end_the_program_in_order(typing, lines):
    told = typing(lines)
    assert told.code == 0
    assert told.out.endswith("You have left the table.\n")
