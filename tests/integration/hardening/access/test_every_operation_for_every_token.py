"""Every operation with every kind of token: none, wrong, revoked, of others, for watching, narrowed elsewhere."""

import pytest

from server.access import ADMIN, PLAY, WATCH
from server.operations import PUBLIC
from tests.integration.hardening.kit import NOBODY, plainly, problem_of, site
from tests.integration.http.kit import OPERATIONS

pytestmark = pytest.mark.slow

RESIGN = {"seat": 0, "action": {"action": "resign"}}
SEATED = {"seat": 0}
#: A body for each operation that takes one; those of games act for seat 0.
BODIES = {
    ("POST", "/v1/players"): {"name": "\n"},  # refused: a new player would differ each time
    ("POST", "/v1/tokens"): {},
    ("PUT", "/v1/rulesets/{ruleset:str}/content/{pack:str}"): {},
    ("POST", "/v1/games"): {"ruleset": "tpoc", "seats": ["me", "me", "me"]},
    ("POST", "/v1/games/{game:str}/fork"): {},
    ("POST", "/v1/games/{game:str}/seats/{seat:str}"): {},
    ("POST", "/v1/games/{game:str}/start"): {"fill": "bot:random"},
    ("POST", "/v1/games/{game:str}/actions"): RESIGN,
    ("POST", "/v1/games/{game:str}/check"): RESIGN,
    ("POST", "/v1/games/{game:str}/resign"): SEATED,
    ("POST", "/v1/games/{game:str}/repairs"): {"reason": "A test.", **RESIGN},
    ("POST", "/v1/games/{game:str}/undo"): SEATED,
    ("POST", "/v1/games/{game:str}/redo"): SEATED,
    ("POST", "/v1/games/{game:str}/undo/{request_id:str}/answer"): {"accept": True},
    ("POST", "/v1/games/{game:str}/messages"): {"words": "Hello.", **SEATED},
    ("POST", "/v1/games/{game:str}/proposals"): {"what": "abandon", **SEATED},
    ("POST", "/v1/games/{game:str}/proposals/{proposal_id:str}/answer"): {"accept": True},
    ("POST", "/v1/games/{game:str}/vacation"): SEATED,
    ("POST", "/v1/games/{game:str}/vacation/end"): SEATED,
    ("POST", "/v1/games/{game:str}/claims"): {"seat": 1, "by": 0},
    ("POST", "/v1/games/{game:str}/seats/{seat:str}/offer"): {},
    ("POST", "/v1/replays"): {},
    ("POST", "/v1/replays/{replay:str}/fork"): {},
}
#: Operations beside games that a token for one game may not use, though it has the scope.
BESIDE = {
    ("POST", "/v1/tokens"),
    ("GET", "/v1/tokens"),
    ("DELETE", "/v1/tokens/{token:str}"),
    ("POST", "/v1/games"),
    ("POST", "/v1/replays"),
    ("POST", "/v1/replays/{replay:str}/fork"),
}
#: Tags of what tells anybody the same.
ANYBODY = ("catalogue", "operations", "documentation", "players", "replays", "signed log")
#: Where what is not there (a request, a message) may be said to be so first.
ABSENT = {
    ("POST", "/v1/games/{game:str}/undo/{request_id:str}/answer"),
    ("DELETE", "/v1/games/{game:str}/undo/{request_id:str}"),
    ("POST", "/v1/games/{game:str}/proposals/{proposal_id:str}/answer"),
    ("DELETE", "/v1/games/{game:str}/proposals/{proposal_id:str}"),
    ("DELETE", "/v1/games/{game:str}/messages/{version:str}"),
}


def name_of(one):
    return (one.method, one.path)


def path_of(one, **given):
    """The operation's address with these parameters; nothing is there by default."""
    given = {"game": NOBODY, "player": NOBODY, "replay": NOBODY, "token": NOBODY, "ruleset": "tpoc"} | given
    given = {"pack": "x", "seat": "0", "request_id": "x", "version": "1", "code": "invalid", "size": "1"} | given
    given = {"proposal_id": "x"} | given
    path = one.path
    for name, value in given.items():
        path = path.replace(f"{{{name}:str}}", value)
    assert "{" not in path
    return path


async def ask(at, one, token, **given):
    headers = {"If-Match": "*"} if one.version else {}
    return await at.send(one.method, path_of(one, **given), token, BODIES.get(name_of(one)), **headers)


def test_every_operation_with_a_body_has_one_here():
    assert {name_of(one) for one in OPERATIONS if one.body is not None} == set(BODIES)
    assert {name_of(one) for one in OPERATIONS} >= BESIDE | ABSENT


async def test_bad_tokens_get_401_or_what_anybody_gets():
    async with site() as at:
        _, ada = await at.player()
        game = await at.game(ada)
        made = await at.told("POST", "/v1/tokens", ada, {})
        await at.told("DELETE", f"/v1/tokens/{made['id']}", ada)
        for one in OPERATIONS:
            nobody = await ask(at, one, None, game=game)
            assert (nobody.status_code == 401) == (one.needs != PUBLIC), name_of(one)
            for bad in (made["token"], ada + "x"):
                answer = await ask(at, one, bad, game=game)
                if answer.status_code != 401:
                    assert one.needs == PUBLIC
                    assert plainly(answer) == plainly(nobody), name_of(one)
                    assert one.tag in ANYBODY, one.path


async def test_a_token_without_the_scope_gets_403():
    async with site() as at:
        _, ada = await at.player()
        game = await at.game(ada)
        before = await at.version(game)
        for scopes in ((WATCH,), ("organise",), (PLAY,)):
            token = await at.narrowed(ada, scopes=scopes)
            for one in OPERATIONS:
                if one.needs in (PLAY, ADMIN) and one.needs not in scopes:
                    answer = await ask(at, one, token, game=game)
                    assert (answer.status_code, problem_of(answer)) == (403, "not_allowed"), name_of(one)
        assert await at.version(game) == before


async def test_another_player_does_nothing_for_a_seat_that_is_not_his():
    async with site() as at:
        (_, ada), (_, bob) = await at.player(), await at.player()
        game, free = await at.game(ada), await at.game(ada, ["me", "open", "open"])
        heads = [await at.version(game), await at.version(free)]
        for one in OPERATIONS:
            if "{game" not in one.path or one.needs == PUBLIC:
                continue
            for where in (game, free):
                answer = await ask(at, one, bob, game=where)
                assert answer.status_code in (403, 404, 409), name_of(one)
                assert problem_of(answer) in ("not_allowed", "not_found", "already_started", "seat_taken"), name_of(one)
        assert [await at.version(game), await at.version(free)] == heads


async def test_a_token_for_one_game_reaches_no_other_and_nothing_beside_games():
    async with site() as at:
        _, ada = await at.player()
        operator = await at.operator()
        for owner, scopes in ((ada, None), (operator, None)):
            home, other = await at.game(owner), await at.game(owner)
            token = await at.narrowed(owner, game=home, **({} if scopes is None else {"scopes": scopes}))
            for one in OPERATIONS:
                answer = await ask(at, one, token, game=other)
                if "{game" in one.path:
                    missing = await ask(at, one, token)
                    expected = "not_allowed" if one.needs == ADMIN and owner == ada else None
                    expected = expected or ("not_allowed" if one.path.endswith("/fork") else "not_found")
                    assert problem_of(answer) == expected, name_of(one)
                    assert plainly(answer) == plainly(missing)
                elif name_of(one) in BESIDE or one.needs == ADMIN:
                    assert (answer.status_code, problem_of(answer)) == (403, "not_allowed"), name_of(one)
                elif one.path.startswith(("/v1/games", "/v1/results", "/v1/players/{player:str}/results")):
                    assert answer.status_code == 200


async def test_a_token_for_one_seat_does_nothing_for_the_others():
    async with site() as at:
        _, ada = await at.player()
        game, free = await at.game(ada), await at.game(ada, ["me", "open", "open"])
        for where in (game, free):
            token, before = await at.narrowed(ada, game=where, seat=1), await at.version(where)
            for one in OPERATIONS:
                if "{game" not in one.path or one.needs != PLAY:
                    continue
                answer = await ask(at, one, token, game=where)
                codes = ("not_allowed", "not_found") if name_of(one) in ABSENT else ("not_allowed",)
                assert problem_of(answer) in codes, name_of(one)
            assert await at.version(where) == before


async def test_a_private_game_is_for_others_byte_for_byte_one_that_is_not_there():
    async with site() as at:
        (_, ada), (_, bob) = await at.player(), await at.player()
        hidden = [
            await at.game(ada, visibility="private"),
            await at.game(ada, ["me", "open", "open"], visibility="private"),
            await ended(at, ada),
        ]
        elsewhere = await at.game(bob)
        strangers = [None, bob, await at.narrowed(bob, game=elsewhere)]
        for one in OPERATIONS:
            if "{game" not in one.path:
                continue
            for token in strangers:
                missing = plainly(await ask(at, one, token))
                for game in hidden:
                    assert plainly(await ask(at, one, token, game=game)) == missing, name_of(one)
        # Nor does a key tell that was used for something else.
        await at.told("POST", "/v1/games", bob, BODIES["POST", "/v1/games"], Idempotency_Key="used")
        for one in (one for one in OPERATIONS if "{game" in one.path and one.key):
            told = []
            for game in (NOBODY, *hidden):
                headers = {"If-Match": "*", "Idempotency-Key": "used"}
                body = BODIES.get(name_of(one))
                told.append(plainly(await at.send(one.method, path_of(one, game=game), bob, body, **headers)))
            assert told[1:] == told[:1] * 3, name_of(one)


async def ended(at, token):
    game = await at.game(token, visibility="private")
    for seat in range(2):
        await at.told("POST", f"/v1/games/{game}/resign", token, {"seat": seat})
    return game


async def test_lists_have_nothing_of_private_and_unlisted_games_of_others():
    async with site() as at:
        (ada_id, ada), (_, bob) = await at.player(), await at.player()
        private, unlisted = await ended(at, ada), await at.game(ada, visibility="unlisted", name="secret")
        for seat in range(2):
            await at.told("POST", f"/v1/games/{unlisted}/resign", ada, {"seat": seat})
        await at.world.services.runner.catch_up()
        for path in ("/v1/games", f"/v1/games?player={ada_id}", "/v1/games?text=secret", "/v1/results"):
            for token in (None, bob, await at.narrowed(ada, game=await at.game(ada))):
                for media in ("application/json", "application/x-ndjson"):
                    answer = await at.send("GET", path, token, Accept=media)
                    assert private not in answer.text
                    assert unlisted not in answer.text
        assert private in (await at.send("GET", "/v1/games", ada)).text
        assert unlisted in (await at.send("GET", "/v1/results", ada)).text
