"""Makes the kit for those who write clients (api_schema/kit): a session recorded from a running server.

python -m tests.integration.stream.kit_for_clients
"""

import asyncio
import json
import random
from pathlib import Path

from tests.integration.stream.kit import running

FOLDER = Path(__file__).parents[3] / "api_schema/kit"


async def record():
    """The messages of seat 0 of a game with undo, redo, another line and an end; and its view at every version."""
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players, undo="free", seed="kit")
        async with world.client(players[0]) as client:
            await client.subscribe(game, after=0, updates="patch")
            await world.play(game, 14)
            await world.undo(game, players[0])
            await world.undo(game, players[0], redo=True)
            await world.undo(game, players[1])
            await world.play(game, 4)
            for player in players[1:]:
                await world.resign(game, player)
            messages = await client.until(await world.version(game))
        return messages, await world.views(game, 0, players[0])


def deliveries(head, seed=1):
    """Ways in which the session comes over bad networks, and what a client must find."""
    rng, found = random.Random(seed), []
    whole = list(range(head))
    found.append(("everything arrives", [(0, whole)]))
    cut = rng.randrange(4, head - 4)
    found.append(("the connection breaks once", [(0, whole[:cut]), (cut, whole[cut:])]))
    found.append(("the connection breaks before anything came", [(0, []), (0, whole)]))
    found.append(("an overlap comes again", [(0, whole[:cut]), (cut, whole[cut - 3 : cut] + whole[cut:])]))
    found.append(("one is missing", [(0, whole[:cut] + whole[cut + 1 :]), (cut, whole[cut:])]))
    found.append(("two change places", [(0, [*whole[:cut], cut + 1, cut, *whole[cut + 2 :]]), (cut, whole[cut:])]))
    at, parts = 0, []
    while at < head:
        upto = min(head, at + rng.randrange(1, 6))
        parts.append((at, whole[at:upto]))
        at = upto
    found.append(("the connection breaks again and again", parts))
    found.append(("the tail is cut", [(0, whole[: head - 3])]))
    return [{"name": name, "connections": _told(parts), "expect": _expected(parts)} for name, parts in found]


def _told(parts):
    return [{"after": after, "lines": lines} for after, lines in parts]


def _expected(parts):
    version, asks, gaps, repeats = 0, [], [], []
    for _, lines in parts:
        asks.append(version)
        for line in lines:
            if line + 1 <= version:
                repeats.append(line + 1)
            elif line + 1 == version + 1:
                version += 1
            else:
                gaps.append(version + 1)
                break
    return {"asks": asks, "gap": gaps[0] if gaps else None, "repeats": repeats, "version": version}


def write(messages, views):
    """Write the files of the kit."""
    lines = [json.dumps(message, separators=(",", ":"), ensure_ascii=False) for message in messages]
    (FOLDER / "session.ndjson").write_text("\n".join(lines) + "\n")
    shown = [
        json.dumps({"version": n, "view": view}, separators=(",", ":"), ensure_ascii=False) for n, view in views.items()
    ]
    (FOLDER / "views.ndjson").write_text("\n".join(shown) + "\n")
    (FOLDER / "faults.json").write_text(json.dumps(deliveries(len(messages)), indent=1) + "\n")


if __name__ == "__main__":
    write(*asyncio.run(record()))
