"""Table talk: said as an event with a commitment, its words kept beside the log."""

import msgspec
from msgspec import Struct

from events.digest import talk_commitment
from games.kernel import encode
from projections import kinds
from server.access import Caller, own_seat, reader_with
from server.asks import Ask
from server.commands import Games
from server.making import Draft
from server.overtaken import decided_again
from server.problems import Problem


class Spoken(Struct, frozen=True):
    """Table talk as it is kept beside the log: the words, and the key of their commitment, which is erased with them.

    The key is the message's own: with one that is published after the end, short erased words could be guessed.
    """

    key: str
    words: str

    def commitment(self, version: int) -> str:
        """What stands in the log in place of the words."""
        return talk_commitment(bytes.fromhex(self.key), version, self.words.encode())


@decided_again
async def say(games: Games, ask: Ask, game: str, seat: int | None, words: str) -> bytes:
    """Table talk: an event with a commitment; the words are kept beside the log, where they can be erased.

    Raises:
        Problem: `not_found`, `not_allowed`, `invalid`.
    """
    limit = games.settings.words_chars_max
    if not words.strip() or len(words) > limit or "\x00" in words:
        raise Problem("invalid", f"words: 1 to {limit} characters, without NUL.")
    async with games.game(game) as live:
        known = await games.first_answer(ask, live)
        if known is not None:
            return known
        speaker = own_seat(ask.caller, live.meta, seat)
        making = await games.making(live)
        told = Spoken(games.random.bytes(32).hex(), words)
        details = kinds.Said(told.commitment(making.version + 1))
        making.add(Draft(details=details, actor=ask.actor, seat=speaker, words=encode(told), key=ask.key))
        return await games.commit(making, ask)


async def words_of(games: Games, caller: Caller, game: str, version: int, *, at_once: bool = False) -> Spoken | None:
    """The words of a table-talk event, with the key to check them by; None if they have been erased.

    Also None for who may not see the event yet, unless `at_once`.

    Raises:
        Problem: `not_found`.
    """
    async with games.seen(game, caller) as seen:
        reader_with(seen.own, caller, seen.live.meta, None)
        newest = seen.live.meta.version
    words = await games.store.words(game, version) if at_once or version <= newest else None
    return None if words is None else msgspec.json.decode(words, type=Spoken)
