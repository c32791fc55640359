"""`turnlog replay` and `verify`: looking into games, and whether they are what they claim."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from events.event import Event
from events.merkle import NotProved
from events.store import EventStore
from games.kernel import EVERYTHING, Ruleset
from projections.game import LiveGame
from projections.history import moment_at, open_game
from projections.report import Report
from projections.unsound import UnsoundError
from projections.verify import created_of, verify
from projections.views import event_of, reader_name, view_of
from server.cli.common import (
    CommandError,
    Database,
    Json,
    UsageError,
    load_catalogue,
    note,
    print_json,
    sentence_of,
    services_of,
)
from server.cli.heads import verify_heads
from server.cli.trust import Trust, judge, log_sentence, trust_of
from server.redacted import Redacted, check_redacted, is_redacted
from server.replays import Replay, ReplayError, ReplayLog, check
from server.show import event_lines, outcome_lines, view_lines

#: Events read from the log at a time.
PAGE_EVENTS = 1000

All = Annotated[bool, Parameter(name="--all", negative="")]


def add_to(app: App) -> None:
    """Add the commands."""
    app.command(replay_command, name="replay")
    app.command(verify_command, name="verify")


async def replay_command(file: Path, /, *, at: int | None = None, seat: int | None = None, json: Json = False) -> None:
    """Tell a replay: what happened, or with --at what the table looked like at a version.

    Try:

    - `turnlog replay game.ndjson`
    - `turnlog replay game.ndjson --at 40 --seat 2`

    Parameters
    ----------
    file:
        A replay file; `-` is standard input.
    at:
        A version, from the start of the game on; abandoned lines too.
    seat:
        Show what this seat saw; without it, everything.
    """
    source = read_file(file)
    if is_redacted(source):
        _tell_redacted(check_redacted(source), at, seat, json=json)
        return
    catalogue = load_catalogue()
    rulesets = {name: entry.rules for name, entry in catalogue.items()}
    found, report = check(rulesets, source)
    if seat is not None and not 0 <= seat < found.header.seats:
        raise UsageError(f"--seat: the game has seats 0 to {found.header.seats - 1}.")
    reader = EVERYTHING if seat is None else seat
    live = await open_game(ReplayLog(found), rulesets, found.game)
    texts = catalogue.of_game(live).texts.get("en", {})
    if at is not None:
        view = await _view_at(found, live, at, reader)
        told = {"game": found.game, "version": at, "reader": reader_name(reader), "view": view}
        print_json(told) if json else print("\n".join([f"version {at}", *view_lines(view, texts)]))
        return
    events = [event_of(live.rules, event, reader) for event in found.events]
    if json:
        print_json({"report": report, "events": events})
        return
    print(f"{live.rules.title}, {found.header.seats} seats, game {found.game}")
    print("\n".join(line for event in events for line in event_lines(event, texts)))
    print("\n".join(outcome_lines(live.meta.outcome, texts)))


async def _view_at(replay: Replay, live: LiveGame, at: int, reader: int) -> dict[str, Any]:
    if not live.meta.started <= at <= live.meta.version:
        raise UsageError(f"--at: the game has versions {live.meta.started} (the start) to {live.meta.version}.")
    moment = await moment_at(ReplayLog(replay), live, at)
    return view_of(live.rules, moment.state, reader)


def _tell_redacted(replay: Redacted, at: int | None, seat: int | None, *, json: bool) -> None:
    if at is not None or seat is not None:
        told = f"this replay shows only what {replay.header.reader} saw, event by event"
        raise UsageError(f"--at and --seat are for full replays; {told}.")
    if json:
        print_json({"header": replay.header, "events": replay.events})
        return
    catalogue = load_catalogue()
    ruleset = replay.header.ruleset
    texts = catalogue[ruleset].texts.get("en", {}) if ruleset in catalogue else {}
    print("\n".join(line for event in replay.events for line in event_lines(event, texts)))


async def verify_command(  # noqa: PLR0913 - a command's options
    *files: Path,
    game: str | None = None,
    every: All = False,
    key: Annotated[list[str] | None, Parameter(negative="")] = None,
    head: Path | None = None,
    consistency: Path | None = None,
    database: Database = None,
    json: Json = False,
) -> int:
    """Verify games: chain, seed and dice, states, each decision decided anew, and that they are in the signed log.

    Exit code 0 if all are sound, 1 if one is not.

    Try:

    - `turnlog verify game.ndjson`
    - `turnlog verify game.ndjson --key example.org/games+c74f20a3+ARpc2QcUPDhM…`
    - `turnlog verify --all --database data/turnlog.db`

    Parameters
    ----------
    files:
        Replay files.
    game:
        The id of a game in the database, which may still be running.
    every:
        All games of the database, and all heads that were signed of its log.
    key:
        A public key of the server's log, or a file of some: the files must be proved to be in that log.
    head:
        A signed head of that log that was kept: the log in the files must agree with it.
    consistency:
        The proof that one of the two heads goes on from the other, unless they are of one size.
    """
    if bool(files) + (game is not None) + every != 1:
        raise UsageError("Name replay files, or a game with --game, or --all.")
    trust = trust_of(key or (), head, consistency)
    if trust.wanted and not files:
        raise UsageError("--key and --head are for replay files.")
    rulesets = {name: entry.rules for name, entry in load_catalogue().items()}
    results: list[dict[str, Any]] = []
    if files:
        results = [_verify_file(rulesets, file, trust) for file in files]
    else:
        async with services_of(database) as services:
            store = services.store
            chosen = [one async for one in game_ids(store)] if every else [str(game)]
            results = [await _verify_game(rulesets, store, one) for one in chosen]
            heads = await verify_heads(services.signer) if every else {}
            if "error" in heads or heads.get("report", {}).get("heads"):
                results.append(heads)
    if json:
        print_json(results)
    for result in results:
        if "error" in result:
            note(f"turnlog: {result['of']}: {result['error']}")
        elif not json:
            print(f"{result['of']}: sound: {_sentence(result)}")
    return int(any("error" in result for result in results))


def _verify_file(rulesets: dict[str, Ruleset[Any]], file: Path, trust: Trust) -> dict[str, Any]:
    try:
        source = read_file(file)
        report: Report | dict[str, Any]
        if is_redacted(source):
            redacted = check_redacted(source)
            report = {"header": redacted.header, "events": redacted.events, "head": redacted.head}
            logged = redacted.logged
        else:
            replay, report = check(rulesets, source)
            logged = replay.logged
        return {"of": str(file), "report": report, "log": judge(trust, logged)}
    except OSError as error:
        return {"of": str(file), "error": (error.strerror or str(error)).lower()}
    except (ReplayError, NotProved) as error:
        return {"of": str(file), "error": sentence_of(error)}


async def _verify_game(rulesets: dict[str, Ruleset[Any]], store: EventStore, game: str) -> dict[str, Any]:
    events = await store.read(game)
    if not events:
        raise CommandError(f"There is no game {game} in this database.")
    try:
        ruleset = created_of(events).ruleset
        if ruleset not in rulesets:
            return {"of": game, "error": f"its ruleset {ruleset} is not here"}
        return {"of": game, "report": verify(rulesets[ruleset], events, await store.secret(game))}
    except UnsoundError as error:
        return {"of": game, "error": sentence_of(error)}


def _sentence(result: dict[str, Any]) -> str:
    report, logged = result["report"], result.get("log")
    if isinstance(report, Report):
        how = f"{report.version} events, {report.decided} of them decided anew, {report.draws} draws"
        told = f"{report.rules}, {report.status}, {how}, head {report.head[:16]}…"
    elif "heads" in report:
        told = f"{report['heads']} signed heads, the newest of {report['size']} events"
    else:
        told = f"as {report['header'].reader} saw it, {len(report['events'])} events, chain to {report['head'][:16]}…"
    return told if logged is None else f"{told}; {log_sentence(logged)}"


async def game_ids(store: EventStore) -> AsyncIterator[str]:
    """The id of every game in the log, oldest first."""
    position = 0
    while events := await store.read_all(position, PAGE_EVENTS):
        for event in _first(events):
            yield event.header.game
        position = events[-1].position
        await asyncio.sleep(0)


def _first(events: Sequence[Event]) -> list[Event]:
    return [event for event in events if event.header.version == 1]


def read_file(file: Path) -> bytes:
    """The bytes of a file."""
    return file.read_bytes()
