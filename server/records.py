"""What is kept beside the log: players, tokens, invitations, packs added at run time and imported replays.

Secrets are stored as their SHA-256 alone: tokens and codes have 256 random bits, so no slow hash is needed, and
looking one up by its hash takes the same time whether it exists or not.
"""

# ruff: noqa: S105 - statements about tokens, not passwords

import base64
from collections.abc import Iterable
from functools import partial
from hashlib import sha256
from hmac import compare_digest

import msgspec
from msgspec import Struct

from events.database import Database, Row, Transaction, change
from server.access import Caller
from server.asks import Once
from server.callers import Believed, Callers
from server.ports import Clock, Random, new_id, timestamp
from server.problems import Problem
from server.request_keys import KeyedRecords, Work

SCHEMA = (
    "create table players(id text primary key, name text not null, created_at text not null) strict",
    """create table tokens(
         id text primary key, hash blob not null unique, player text not null references players(id),
         scopes text not null, game text, seat integer, label text not null, created_at text not null,
         revoked_at text) strict""",
    "create index tokens_player on tokens(player, id)",
    """create table invites(
         id text primary key, hash blob not null unique, game text not null, made_by text not null,
         created_at text not null, revoked_at text) strict""",
    """create table packs(
         digest text primary key, ruleset text not null, source blob not null, added_by text not null,
         added_at text not null) strict""",
    """create table replays(
         id text primary key, player text not null, source blob not null, added_at text not null) strict""",
    """create table requests(
         scope text not null, key text not null, request blob not null, response blob, at text not null,
         primary key(scope, key)) strict""",
    "create index invites_game on invites(game)",
)

ADD_PLAYER = "insert into players values (?, ?, ?)"
ADD_TOKEN = "insert into tokens values (?, ?, ?, ?, ?, ?, ?, ?, null)"
TOKEN_FIELDS = "id, player, scopes, game, seat, label, created_at, revoked_at"
FIND_TOKEN = f"select {TOKEN_FIELDS} from tokens where hash = ?"  # noqa: S608 - a constant
FIND_TOKEN_BY_ID = f"select {TOKEN_FIELDS} from tokens where id = ?"  # noqa: S608
FIND_OWN_TOKEN = f"select {TOKEN_FIELDS} from tokens where id = ? and player = ?"  # noqa: S608
LIST_TOKENS = f"select {TOKEN_FIELDS} from tokens where player = ? and id > ? order by id limit ?"  # noqa: S608
REVOKE_TOKEN = "update tokens set revoked_at = ? where id = ? and player = ? and revoked_at is null"
COUNT_TOKENS = "select count(*) from tokens where player = ? and revoked_at is null"
COUNT_INVITES = "select count(*) from invites where game = ? and revoked_at is null"
FIND_INVITE = "select game from invites where hash = ? and revoked_at is null"
LIST_PACKS = "select ruleset, digest from packs order by added_at, digest"

#: What a token begins with, so that scanners for leaked secrets can tell it.
TOKEN_PREFIX = "tl_"
INVITE_PREFIX = "ti_"


class Player(Struct, frozen=True):
    """A player: an opaque id and perhaps a name, which need not be unique."""

    id: str
    name: str
    created_at: str


class Token(Struct, frozen=True):
    """All about a token but the secret itself."""

    id: str
    player: str
    scopes: tuple[str, ...]
    game: str | None
    seat: int | None
    label: str
    created_at: str
    revoked_at: str | None


class Grant(Struct, frozen=True):
    """What a new token allows: scopes, and perhaps one game and one seat of it."""

    scopes: tuple[str, ...]
    game: str | None = None
    seat: int | None = None
    label: str = ""


class Replay(Struct, frozen=True):
    """An imported replay: who brought it, and its exact bytes."""

    id: str
    player: str
    source: bytes


class Records(KeyedRecords):
    """The tables of the shell, in the same database as the log."""

    def __init__(self, database: Database, clock: Clock, random: Random, believed: Believed) -> None:
        super().__init__(database, clock)
        self._random = random
        self._callers = Callers(clock, believed, shared=database.shared)
        database.migrate("records", SCHEMA)

    # players

    async def sign_up(self, name: str, scopes: Iterable[str], once: Once | None = None) -> tuple[Player, str]:
        """A new player and its first token's secret, which is told this once.

        Raises:
            Problem: `already_done` or `key_reused` for a key that was used before.
        """
        player = Player(self._id(), name, self._now())
        token, add_token = self._token(player.id, Grant(tuple(scopes), label="sign-up"))

        async def work(transaction: Transaction) -> None:
            await transaction.change(ADD_PLAYER, (player.id, player.name, player.created_at))
            await add_token(transaction)

        await self._write(work, once)
        return player, token[1]

    async def player(self, player: str) -> Player | None:
        """The player with this id."""
        rows = await self._database.read("select id, name, created_at from players where id = ?", (player,))
        return Player(*rows[0]) if rows else None

    async def names(self, players: Iterable[str]) -> dict[str, str]:
        """The names of those of these players that have one."""
        wanted = sorted(set(players))
        if not wanted:
            return {}
        marks = ", ".join("?" * len(wanted))
        sql = f"select id, name from players where id in ({marks}) and name <> ''"  # noqa: S608 - marks alone
        return dict(await self._database.read(sql, wanted))

    # tokens

    async def caller(self, secret: str) -> Caller | None:
        """Who holds this token; None if there is no such token or it was revoked."""
        digest = _hash(secret)
        return await self._callers.find(digest, partial(self._holder, FIND_TOKEN, digest))

    async def holder(self, token: str) -> Caller | None:
        """Who holds the token with this id; None if it was revoked."""
        return await self._callers.find(token, partial(self._holder, FIND_TOKEN_BY_ID, token))

    async def _holder(self, sql: str, key: bytes | str) -> Caller | None:
        rows = await self._database.read(sql, (key,))
        token = _token_of(rows[0]) if rows else None
        if token is None or token.revoked_at is not None:
            return None
        return Caller(token.player, frozenset(token.scopes), token.game, token.seat, token.id)

    def forget_callers(self) -> None:
        """Look every token up again: one was revoked, perhaps by another node."""
        self._callers.forget()

    async def add_token(
        self, player: str, grant: Grant, once: Once | None = None, *, most: int | None = None
    ) -> tuple[Token, str]:
        """A new token of a player and its secret, which is told this once; `most`: so many may stand at a time.

        Raises:
            Problem: `already_done` or `key_reused` for a key that was used before, `rate_limited`.
        """
        (token, secret), add = self._token(player, grant)

        async def work(transaction: Transaction) -> None:
            if most is not None and (await transaction.read(COUNT_TOKENS, (player,)))[0][0] >= most:
                sentence = f"You have {most} tokens, and no more are allowed: revoke one."
                raise Problem("rate_limited", sentence, limit="tokens_per_player_max", most=most)
            await add(transaction)

        await self._write(work, once)
        return token, secret

    async def tokens(self, player: str, after: str, limit: int) -> list[Token]:
        """The tokens of a player in the order they were made, revoked ones too, behind the id `after`."""
        return [_token_of(row) for row in await self._database.read(LIST_TOKENS, (player, after, limit))]

    async def token(self, player: str, token: str) -> Token | None:
        """The token of a player with this id."""
        rows = await self._database.read(FIND_OWN_TOKEN, (token, player))
        return _token_of(rows[0]) if rows else None

    async def revoke(self, player: str, token: str) -> bool:
        """Revoke a token of a player; whether there was one to revoke."""
        try:
            return await change(self._database, REVOKE_TOKEN, self._now(), token, player) > 0
        finally:
            self.forget_callers()

    def _token(self, player: str, grant: Grant) -> tuple[tuple[Token, str], Work]:
        secret = self._secret(TOKEN_PREFIX)
        token = Token(self._id(), player, grant.scopes, grant.game, grant.seat, grant.label, self._now(), None)
        scopes = " ".join(token.scopes)
        row = (token.id, _hash(secret), player, scopes, token.game, token.seat, token.label, token.created_at)

        async def add(transaction: Transaction) -> None:
            await transaction.change(ADD_TOKEN, row)

        return (token, secret), add

    # invitations

    async def check_invites(self, game: str, most: int) -> None:
        """Refuse another invitation to a game that has so many.

        Raises:
            Problem: `rate_limited`.
        """
        _check_invites(await self._database.read(COUNT_INVITES, (game,)), most)

    async def add_invite(self, invite: str, game: str, made_by: str, most: int) -> str:
        """A new invitation to a game, of this id: its code, which is told this once; a game has at most so many.

        Raises:
            Problem: `rate_limited`.
        """
        code = self._secret(INVITE_PREFIX)
        row = (invite, _hash(code), game, made_by, self._now())

        async def work(transaction: Transaction) -> None:
            _check_invites(await transaction.read(COUNT_INVITES, (game,)), most)
            await transaction.change("insert into invites values (?, ?, ?, ?, ?, null)", row)

        await self._database.write(work)
        return code

    async def invited(self, code: str | None, game: str) -> bool:
        """Whether this code is a standing invitation to this game."""
        rows = await self._database.read(FIND_INVITE, (_hash(code),)) if code else []
        return bool(rows) and compare_digest(str(rows[0][0]).encode(), game.encode())

    # content packs

    async def add_pack(self, ruleset: str, digest: str, source: bytes, added_by: str) -> None:
        """Keep a pack; the same bytes twice are one pack."""
        sql = "insert into packs values (?, ?, ?, ?, ?) on conflict do nothing"
        await change(self._database, sql, digest, ruleset, source, added_by, self._now())

    async def packs(self) -> list[tuple[str, str]]:
        """(ruleset, digest) of every pack, in the order they were added."""
        return [(row[0], row[1]) for row in await self._database.read(LIST_PACKS)]

    async def pack(self, digest: str) -> bytes:
        """The bytes of a pack that was added."""
        return bytes((await self._database.read("select source from packs where digest = ?", (digest,)))[0][0])

    # replays

    async def add_replay(self, replay: Replay, response: bytes, once: Once | None = None) -> bytes:
        """Keep an imported replay; the answer to give (the first one, if the key was used before for the same).

        Raises:
            Problem: `key_reused`.
        """
        row = (replay.id, replay.player, replay.source, self._now())

        async def work(transaction: Transaction) -> None:
            await transaction.change("insert into replays values (?, ?, ?, ?)", row)

        return await self._write(work, once, response) or response

    async def replay(self, replay: str) -> Replay | None:
        """The replay with this id."""
        rows = await self._database.read("select id, player, source from replays where id = ?", (replay,))
        return Replay(*rows[0]) if rows else None

    def _id(self) -> str:
        return new_id(self._clock, self._random)

    def _now(self) -> str:
        return timestamp(self._clock.now())

    def _secret(self, prefix: str) -> str:
        return prefix + base64.urlsafe_b64encode(self._random.bytes(32)).decode().rstrip("=")


def _check_invites(counted: list[Row], most: int) -> None:
    if counted[0][0] >= most:
        sentence = f"This game has {most} invitations, and no more are allowed. One serves many players."
        raise Problem("rate_limited", sentence, limit="invites_per_game_max", most=most)


def _hash(secret: str) -> bytes:
    return sha256(secret.encode()).digest()


def _token_of(row: tuple[object, ...]) -> Token:
    named = dict(zip(Token.__struct_fields__, row, strict=True))
    return msgspec.convert(named | {"scopes": str(named["scopes"]).split()}, Token)
