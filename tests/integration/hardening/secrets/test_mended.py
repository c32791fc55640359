"""Small ways in which what is hidden came out: each mended fault has its test here."""

import json

import pytest

from tests.integration.hardening.kit import NEWEST, problem_of, site
from tests.tiny.actions import CastVote
from tests.tiny.position import TinyPosition

pytestmark = pytest.mark.slow


async def test_an_operator_s_missed_events_are_those_of_a_spectator():
    async with site() as at:
        operator, (_, ada) = await at.operator(), await at.player()
        game = await at.game(ada)
        version = await at.version(game)
        for seat in range(3):
            await at.act(game, ada, seat)
        seat = (await at.told("GET", f"/v1/games/{game}"))["deciding"][0]
        action = next(one for one in await at.legal(game, ada, seat) if one["action"] == "play_secret")
        await at.told("POST", f"/v1/games/{game}/actions", ada, {"seat": seat, "action": action}, **NEWEST)
        body = {"reason": "A look.", "seat": seat, "action": {"action": "resign"}}
        answer = await at.send("POST", f"/v1/games/{game}/repairs", operator, body, If_Match=str(version))
        assert problem_of(answer) == "version_conflict"
        played = answer.json()["missed"][-1]
        public = (await at.told("GET", f"/v1/games/{game}/events?after={version}"))["events"]
        assert [one["effects"] for one in answer.json()["missed"]] == [one["effects"] for one in public]
        assert "colour" not in json.dumps(played["action"])
        own = {"seat": seat, "action": {"action": "resign"}}
        answer = await at.send("POST", f"/v1/games/{game}/actions", ada, own, If_Match=str(version))
        assert answer.json()["missed"][-1]["action"]["colour"] == action["colour"]


async def test_scripted_chance_that_does_not_fit_is_told_to_its_writer_alone():
    async with site() as at:
        (_, ada), (_, bob) = await at.player(), await at.player()
        for last in (ada, bob):
            scenario = {"state": {"round": 0}, "dice": [{"canary": 1}]}
            game = await at.table([ada, bob], ruleset="tiny", scenario=scenario)
            votes = {ada: {"seat": 0, "action": {"action": "cast_vote", "choice": 0}},
                     bob: {"seat": 1, "action": {"action": "cast_vote", "choice": 1}}}  # fmt: skip
            path = f"/v1/games/{game}/actions"
            first = bob if last == ada else ada
            await at.told("POST", path, first, votes[first], **NEWEST)
            answer = await at.send("POST", path, last, votes[last], **NEWEST)  # a tie: the game asks for a pick
            assert problem_of(answer) == "scenario_mismatch"
            assert ("canary" in answer.text) == (last == ada)


async def test_a_position_that_breaks_the_rules_is_refused_and_never_a_fault_of_the_server(monkeypatch):
    def broken(*_):
        raise IndexError("a place that is not there")

    async with site() as at:
        (_, ada), (_, bob) = await at.player(), await at.player()
        scenario = {"state": {"round": 0}}
        game = await at.table([ada, bob], ruleset="tiny", scenario=scenario)
        vote = {"seat": 0, "action": {"action": "cast_vote", "choice": 0}}
        with monkeypatch.context() as patched:
            patched.setattr(CastVote, "apply", broken)
            answer = await at.send("POST", f"/v1/games/{game}/actions", ada, vote, **NEWEST)
            assert (answer.status_code, problem_of(answer)) == (409, "scenario_mismatch")
        await at.told("POST", f"/v1/games/{game}/actions", ada, vote, **NEWEST)
        with monkeypatch.context() as patched:
            patched.setattr(TinyPosition, "load", broken)
            body = {"ruleset": "tiny", "seats": ["me", "me"], "scenario": scenario}
            answer = await at.send("POST", "/v1/games", ada, body)
            assert (answer.status_code, problem_of(answer)) == (400, "invalid")
            assert "cannot go on" in answer.json()["detail"]


async def test_how_much_of_the_scripted_chance_is_used_up_is_in_nobody_s_proof():
    async with site() as at:
        (_, ada), (_, bob) = await at.player(), await at.player()
        scenario = {"state": {"round": 0}, "dice": [{"chair": 1}, {"canary": 1}]}
        game = await at.table([ada, bob], ruleset="tiny", scenario=scenario)
        for seat, token in enumerate((ada, bob)):
            await at.told("POST", f"/v1/games/{game}/actions", token,
                          {"seat": seat, "action": {"action": "cast_vote", "choice": seat}}, **NEWEST)  # fmt: skip
        for token in (None, ada, bob):
            for path in ("events?proof=true", "replay"):
                answer = await at.send("GET", f"/v1/games/{game}/{path}", token)
                assert answer.status_code == 200
                assert "scripted" not in answer.text
        await at.told("POST", f"/v1/games/{game}/resign", ada, {})
        assert "scripted" in (await at.send("GET", f"/v1/games/{game}/events?proof=true")).text


async def test_whom_a_rewind_asks_does_not_tell_who_made_a_hidden_act():
    async with site() as at:
        tokens = [(await at.player())[1] for _ in range(3)]
        asked = []
        for hiding in (1, 2):
            game = await at.table(tokens, ruleset="tiny", undo="fair")
            version = await at.version(game)
            hidden = {"seat": hiding, "action": {"action": "set_auto_pass", "on": True}}
            await at.told("POST", f"/v1/games/{game}/actions", tokens[hiding], hidden, **NEWEST)
            events = (await at.told("GET", f"/v1/games/{game}/events?after={version}", tokens[0]))["events"]
            assert [one["kind"] for one in events] == ["hidden"]
            told = await at.told("POST", f"/v1/games/{game}/undo", tokens[0], {"to": version}, **NEWEST)
            asked.append(told["request"]["asked"])
        assert asked == [[1, 2], [1, 2]]
