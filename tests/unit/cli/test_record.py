"""`case --at`: a case from a real game comes out as the game did, and fails as soon as something else is expected."""

import asyncio
import copy
import io
from itertools import pairwise
from random import Random
from types import SimpleNamespace

import msgspec
import pytest
from ruamel.yaml import YAML

from games.kernel import PositionError, Setting, encode
from projections.history import open_game
from server.cases import RecordError, Span, Suite, record, run_suite
from server.cases.record import ENDING, prove
from server.cases.write import WIDTH, case_text
from server.catalogue import Catalogue, Entry, RuleRow
from server.creating import NewGame, create
from server.playing import act
from server.replays import ReplayLog, export, parse
from server.services import Services
from server.settings import Settings
from server.simulate import BOT, Plan, SeededRandom, SteppingClock, random_turn, simulate
from tests import tiny
from tests.integration.replay_kit import ANN, caller, eventful_game, resigned_game, scenario_game

CATALOGUE = Catalogue.load()
GAMES, VERSIONS = 2, 3
PLAYED = ("acted", "resigned", "repaired")


@pytest.fixture(scope="module", params=CATALOGUE)
def played(request):
    """A ruleset's entry and the replays of random games of it."""
    return CATALOGUE[request.param], simulated(request.param, GAMES)


def simulated(ruleset, count):
    """The replays of random games."""
    return [parse(game.replay) for game in simulate(Catalogue.load, Plan(ruleset, count, "record", keep=True), 1)]


async def recorded(entry, replay, at, lines):
    log = ReplayLog(replay)
    live = await open_game(log, {entry.rules.id: entry.rules}, replay.game)
    return await record(entry, log, live, bytes.fromhex(live.meta.seed), Span(at, lines))


def reports(entry, folder, case):
    file = folder / "case.yaml"
    file.write_text(case_text([case]), "utf-8")
    return run_suite(Suite.read(entry, [file]))


def started(replay):
    return next(event.header.version for event in replay.events if event.header.kind == "started")


def before_draws(replay):
    """The versions after which an action draws something, each with one line to record."""
    return [
        (before.header.version, 1)
        for before, event in pairwise(replay.events)
        if event.header.kind == "acted" and event.header.draws > before.header.draws
    ]


def changes(case):
    """The case with one expectation changed, in every way that there is one."""
    for i, line in enumerate(case.get("when", ())):
        effects = line["then"]["effects_exactly"]
        for j in range(len(effects)):
            less = copy.deepcopy(case)
            del less["when"][i]["then"]["effects_exactly"][j]
            if effects[j]["effect"] != "answered":
                yield less
            for name, value in effects[j].items():
                if isinstance(value, int):
                    other = copy.deepcopy(case)
                    other["when"][i]["then"]["effects_exactly"][j][name] = int(value) + 1
                    yield other
    for i in range(len(case.get("then", {}).get("legal", ()))):
        other = copy.deepcopy(case)
        other["then"]["legal"][i]["count"] += 1
        yield other


@pytest.mark.slow
async def test_every_recorded_case_passes_and_fails_with_another_expectation(played, tmp_path):
    entry, replays = played
    chance, tried, drawn = Random(entry.rules.id), 0, 0
    for replay in replays:
        some = chance.sample(range(started(replay), len(replay.events) - 2), VERSIONS)
        for at, lines in [*((at, chance.choice((0, 1, 2, 6))) for at in some), *before_draws(replay)[-1:]]:
            recording = await recorded(entry, replay, at, lines)
            (report,) = reports(entry, tmp_path, recording.case)
            assert report.passes, report
            drawn += sum(len(recording.case["given"].get(chance_of, ())) for chance_of in ("dice", "orders"))
            found = list(changes(recording.case))
            for other in chance.sample(found, min(2, len(found))):
                assert not reports(entry, tmp_path, other)[0].passes, other
                tried += 1
    assert tried > GAMES * VERSIONS
    assert drawn or entry.rules.id in ("tpoc", "host_tournament")  # few of their events have chance


@pytest.mark.slow
async def test_a_whole_game_is_recorded_with_all_its_chance_and_its_outcome(played, tmp_path):
    entry, (replay, *_) = played
    recording = await recorded(entry, replay, started(replay), len(replay.events))
    acted = [event for event in replay.events if event.header.kind in PLAYED]
    assert len(recording.case["when"]) == len(acted)
    outcome = msgspec.to_builtins(replay.header.outcome)
    case = {**recording.case, "then": {"outcome": {"reason": outcome["reason"], "scores": list(outcome["scores"])}}}
    assert reports(entry, tmp_path, case)[0].passes


@pytest.mark.slow
async def test_the_position_names_nothing_that_it_is_completed_with(played):
    entry, (replay, *_) = played
    at = len(replay.events) // 2
    recording = await recorded(entry, replay, at, 1)
    position, created = recording.case["given"]["state"], recording.case["given"]
    made = msgspec.convert(created["options"], entry.rules.options)
    setting = Setting(entry.rules.shelf.find(created["pack"]), created["seats"], made)
    whole = encode(entry.rules.position.load(position, setting, "new"))
    assert position
    for name in position:
        fewer = {key: part for key, part in position.items() if key != name}
        try:
            assert encode(entry.rules.position.load(fewer, setting, "new")) != whole, name
        except PositionError:
            continue


async def test_after_the_end_only_the_outcome_is_left_to_expect(played):
    entry, (replay, *_) = played
    recording = await recorded(entry, replay, len(replay.events), 5)
    assert "when" not in recording.case
    assert recording.case["then"]["outcome"]["reason"] == replay.header.outcome.reason


@pytest.mark.parametrize("at", [0, 1, 10_000])
async def test_versions_without_a_position_are_refused(played, at):
    entry, (replay, *_) = played
    with pytest.raises(RecordError, match="positions at its versions"):
        await recorded(entry, replay, at, 1)


@pytest.fixture(scope="module")
def zeds():
    """The replay of a random game of World War Zed."""
    return simulated("world_war_zed", 1)[0]


async def test_what_the_rules_here_decide_otherwise_is_told_and_not_written(zeds):
    entry, game = CATALOGUE["world_war_zed"], zeds
    live = await open_game(ReplayLog(game), {"world_war_zed": entry.rules}, game.game)
    with pytest.raises(RecordError, match=r"version \d+ was decided by world_war_zed/1, and the rules here"):
        await record(entry, ReplayLog(game), live, b"another seed", Span(started(game), len(game.events)))


def test_a_case_that_does_not_come_out_is_refused_with_the_place():
    text = case_text([{"case": "c", "rules": ["TPOC-4.1.1"], "given": {}, "then": {"state": {"turn": 9}}}])
    with pytest.raises(RecordError, match=r"does not come out.*then.state.turn: expected 9; got +1"):
        prove(CATALOGUE["tpoc"], text)


TINY = Entry(tiny.RULES, {}, (RuleRow("TINY-1", "The rule.", "case"),))


@pytest.mark.slow
@pytest.mark.parametrize("make", [eventful_game, resigned_game, scenario_game])
async def test_undo_talk_resigning_and_scripted_dice_are_in_no_way_of_a_case(make, tmp_path):
    events = await make()
    replay = parse(b"".join(export(events)))
    moves = {event.header.version for event in events if event.header.kind in PLAYED}
    back = {event.header.version for event in events if event.header.kind in ENDING}
    for at in range(started(replay), len(events) + 1, 4):
        case = (await recorded(TINY, replay, at, 3)).case
        reach = min([version for version in back if version > at], default=len(events) + 1)
        assert len(case.get("when", ())) == min(3, len([version for version in moves if at < version < reach])), at
        assert reports(TINY, tmp_path, case)[0].passes, at


@pytest.mark.parametrize(
    "value",
    [
        *("no", "NO", "null", "~", "1", "1.5", "0x1f", "1e5", "", " ", "a: b", "a:", "#a", "a #b", "- a", "[a]", "{a}"),
        *("*a", "&a", "!a", "'", '"', "a\nb", "é", "😀", "\x7f\u2028\ufeff", "leader:red", "$has", "2026-01-01"),
        *("12:30", "@a", "`a", "%a", "?", "<<", "=", None, True, False, 0, -3, 1.25),
        *([], {}, [[]], [{}], {"a": {}}, ["long " * 9] * 9, {"1": [["x" * 99, {"y": ["z" * 99]}]]}),
        *([[["deep" * 30]]], {"no": {"null": ["a" * 200]}}, list(range(200))),
    ],
)
def test_whatever_is_written_is_read_again_the_same(value):
    cases = [
        {"case": "c", "value": value, "list": [value, {"in": value}], "wide": {"a" * 50: value, "b" * 80: [value]}}
    ]
    text = case_text(cases, ["a remark"])
    assert YAML(typ="safe", pure=True).load(io.StringIO(text)) == cases


def test_lines_are_filled_and_not_longer_than_they_need_to_be():
    text = case_text(
        [{"deck": ["yellow", "green/red"] * 60, "rows": [{"a": "b" * 30, "c": "d" * 30} for _ in range(9)]}]
    )
    assert max(map(len, text.splitlines())) <= WIDTH
    assert len(text.splitlines()) < 25


# ------------------------------------------------------------------------------------------------- the command


@pytest.mark.slow
def test_a_case_from_a_replay_is_written_and_passes_at_once(turnlog, replays, tmp_path):
    told = turnlog("case", "--replay", replays[0], "--at", 30, "--lines", 2, "--out", "mine/bug.yaml")
    assert (told.code, told.out) == (0, "")
    assert turnlog("case", tmp_path / "mine" / "bug.yaml").code == 0
    text = (tmp_path / "mine" / "bug.yaml").read_text("utf-8")
    assert turnlog("case", "--replay", replays[0], "--at", 30, "--lines", 2).out == text
    assert "hidden from players" in text.splitlines()[1]
    (tmp_path / "mine" / "bug.yaml").write_text(
        text.replace("effects_exactly:", "no_effects: [answered]\n        effects_exactly:")
    )
    assert turnlog("case", "mine/bug.yaml").code == 0
    (tmp_path / "mine" / "bug.yaml").write_text(text.replace("{effect: ", "{effect: card_discarded, seat: 7, was: ", 1))
    assert turnlog("case", "mine/bug.yaml").code == 1


def test_as_json_it_is_a_case_file_too(turnlog, replays, tmp_path):
    told = turnlog("case", "--replay", replays[1], "--at", 20, "--lines", 3, "--json")
    assert len(told.json()[0]["when"]) == 3
    (tmp_path / "bug.json").write_text(told.out)
    assert turnlog("case", "bug.json").code == 0


def test_a_game_can_be_named_beside_its_replay_and_must_be_the_one_in_it(turnlog, replays):
    game = parse(replays[0].read_bytes()).game
    assert turnlog("case", "--record", game, "--replay", replays[0], "--at", 30).code == 0
    told = turnlog("case", "--record", "another", "--replay", replays[0], "--at", 30)
    assert (told.code, told.err.count("\n")) == (1, 1)
    assert f"is a replay of game {game}, not of another" in told.err


@pytest.mark.parametrize(
    ("code", "arguments", "sentence"),
    [
        (2, ("--replay", "FILE"), "name the version with --at"),
        (2, ("--record", "x"), "name the version with --at"),
        (2, ("--at", 30), "name a game of the database with --record"),
        (2, ("--at", 30, "--replay", "FILE", "my.yaml"), "name a game of the database with --record"),
        (2, ("--at", 30, "--replay", "FILE", "--lines", -1), "--lines"),
        (2, ("--at", 30, "--replay", "FILE", "--lines", 100_000), "--lines"),
        (1, ("--at", 2, "--replay", "FILE"), "positions at its versions"),
        (1, ("--at", 30, "--record", "x"), "There is no database"),
        (1, ("--at", 30, "--replay", "nowhere.ndjson"), "nowhere.ndjson"),
    ],
)
def test_what_cannot_be_recorded_is_told_in_a_sentence(turnlog, replays, code, arguments, sentence):
    told = turnlog("case", *(replays[0] if one == "FILE" else one for one in arguments))
    assert (told.code, told.out, told.err.count("\n")) == (code, "", 1)
    assert sentence in told.err
    assert "our mistake" not in told.err


def test_a_damaged_replay_is_not_recorded_from(turnlog, replays, tmp_path):
    source = replays[0].read_bytes()
    (tmp_path / "bad.ndjson").write_bytes(source.replace(b'"seat":1', b'"seat":2', 1))
    told = turnlog("case", "--replay", "bad.ndjson", "--at", 30)
    assert (told.code, told.out) == (1, "")
    assert told.err.startswith("turnlog: line ")


@pytest.fixture
def database(tmp_path):
    """A database with a game of World War Zed that runs and one that has ended."""
    path = tmp_path / "games.db"

    async def fill():
        services = Services.open(Settings(database=str(path)), clock=SteppingClock(), random=SeededRandom("record"))
        await services.runner.prepare()
        games, players, bots = services.games, SeededRandom("players"), msgspec.structs.replace(ANN, caller=caller(BOT))
        running, ended = [
            (await create(games, ANN, NewGame(ruleset="world_war_zed", seats=[BOT]))).decode() for _ in range(2)
        ]
        for _ in range(12):
            await act(games, bots, running, await random_turn(games, running, players))
        while (turn := await random_turn(games, ended, players)) is not None:
            await act(games, bots, ended, turn)
        version = len(await services.store.read(running))
        await services.runner.catch_up()
        await services.stop()
        return SimpleNamespace(path=path, running=running, ended=ended, version=version)

    return asyncio.run(fill())


@pytest.mark.slow
def test_a_running_game_is_recorded_with_its_chance_by_who_has_the_database(turnlog, database):
    told = turnlog(
        "case", "--record", database.running, "--at", 3, "--lines", 12, "--out", "a.yaml", "--database", database.path
    )
    assert told.code == 0
    assert "this game still runs, and the case holds its secrets" in told.err
    assert "dice:" in (database.path.parent / "a.yaml").read_text("utf-8")
    assert turnlog("case", "a.yaml").code == 0
    newest = turnlog(
        "case", "--record", database.running, "--at", database.version, "--json", "--database", database.path
    )
    assert newest.json()[0]["then"]["decisions"][0]["seat"] == 0


@pytest.mark.slow
def test_an_ended_game_of_the_database_has_no_secrets_left(turnlog, database):
    told = turnlog(
        "case", "--record", database.ended, "--at", 5, "--lines", 4, "--out", "b.yaml", "--database", database.path
    )
    assert told.code == 0
    assert "secrets" not in told.err
    assert turnlog("case", "b.yaml").code == 0
    told = turnlog("case", "--record", "none", "--at", 5, "--database", database.path)
    assert (told.code, told.err) == (1, "turnlog: There is no game none in this database.\n")


def test_the_help_says_that_the_file_holds_secrets(turnlog):
    told = " ".join(turnlog("case", "--help").out.split())
    assert "one from a game that still runs gives its secrets away" in told
    assert "turnlog case --replay game.ndjson --at 40 --lines 2 > bug.yaml" in told
