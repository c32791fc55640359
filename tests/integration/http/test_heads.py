"""The signed log over HTTP: heads and keys, proofs that hold, games of others, and hostile sizes."""

import msgspec
import pytest

from events.heads import Successor
from events.logproof import Consistency, KeyLine, LogProof, check, check_heads, check_trust, keyring_of
from events.notes import Note, PrivateKey, PublicKey
from events.tree import TreeBroken
from server.key_files import read_key
from server.log_proofs import proof_for_replay, prove
from server.replays import parse

ORIGIN = "turnlog"


@pytest.fixture
async def games(api, services):
    """Two ended games of a player, with a head after each; (token, their ids, the heads)."""
    _, ada = await api.player()
    made, heads = [], []
    for _ in range(2):
        made.append(await api.game(ada))
        await api.end(made[-1], ada)
        heads.append(await services.signer.sign())
    return ada, made, heads


def proof_in(told) -> LogProof:
    fields = {name: told[name] for name in LogProof.__struct_fields__}
    return msgspec.convert(fields, LogProof)


class TestHeads:
    async def test_before_the_first_event_there_is_none(self, api):
        told = await api.get("/v1/heads")
        assert (told["latest"], told["heads"], told["next"], told["signing"]) == (None, [], None, True)
        assert [key["first"] for key in told["keys"]] == [1]
        await api.refused("not_found", "GET", "/v1/heads/latest")

    async def test_heads_are_listed_from_the_newest_on_and_signed_by_the_keys_told(self, api, games):
        _, _, heads = games
        told = await api.get("/v1/heads")
        assert [one["note"] for one in told["heads"]] == [head.note for head in heads[::-1]]
        assert told["latest"] == told["heads"][0]
        ring = keyring_of([KeyLine(**key) for key in told["keys"]])
        for one in told["heads"]:
            head = ring.open(Note.parse(one["note"]))
            assert (head.origin, head.size, head.root.hex()) == (ORIGIN, one["size"], one["root"])

    async def test_pages_lead_through_all(self, api, games):
        seen, path = [], "/v1/heads?limit=1"
        while path:
            response = await api.send("GET", path)
            seen += [one["size"] for one in response.json()["heads"]]
            assert (response.json()["next"] is None) == ("next" not in response.links)
            path = response.links["next"]["url"] if "next" in response.links else None
        assert seen == [head.size for head in games[2][::-1]]

    async def test_a_head_as_text_is_the_note_alone_and_stays_for_ever(self, api, games):
        head = games[2][0]
        response = await api.send("GET", f"/v1/heads/{head.size}", headers={"Accept": "text/plain"})
        assert response.content == head.note.encode()
        assert response.headers["content-type"] == "text/plain; charset=utf-8"
        assert "immutable" in response.headers["cache-control"]
        again = {"If-None-Match": response.headers["etag"]}
        await api.send("GET", f"/v1/heads/{head.size}", headers=again, status=304)
        latest = await api.send("GET", "/v1/heads/latest")
        assert latest.json()["note"] == games[2][1].note
        assert latest.headers["cache-control"] == "public, max-age=10"

    @pytest.mark.parametrize(
        "size", ["0", "-1", "1", "007", "9" * 15, "9" * 40, "1.5", "newest", "%D9%A1", "1%20", "1e3", "x" * 3000]
    )
    async def test_sizes_without_a_head_are_not_found(self, api, games, size):
        await api.refused("not_found", "GET", f"/v1/heads/{size}")

    @pytest.mark.parametrize("query", ["limit=0", "limit=-1", "limit=x", "cursor=x", "cursor=LTE", "cursor=w6k", "a=1"])
    async def test_queries_that_cannot_be_are_refused(self, api, games, query):
        await api.refused("invalid", "GET", f"/v1/heads?{query}")

    async def test_a_page_has_no_more_than_the_limit(self, api, games):
        assert len((await api.get("/v1/heads?limit=100000"))["heads"]) == 2

    async def test_rotated_keys_are_told_with_the_note_that_signs_them_in(self, api, games, services, tmp_path):
        old = read_key(tmp_path / "heads.key")
        new = PrivateKey(ORIGIN, bytes(32))
        first = games[2][1].size + 1
        assert await services.signer.heads.add_key(Successor.endorse(new.public, first, old), old.public)
        keys = (await api.get("/v1/heads"))["keys"]
        assert [PublicKey.parse(key["key"]) for key in keys] == [old.public, new.public]
        ring = keyring_of([KeyLine(**key) for key in keys])
        assert [one.key for one in ring.trusted([old.public]).keys] == [old.public, new.public]


class TestConsistency:
    async def test_every_head_goes_on_from_the_one_before(self, api, games):
        old, new = [await api.get(f"/v1/heads/{head.size}") for head in games[2]]
        ring = keyring_of([KeyLine(**key) for key in (await api.get("/v1/heads"))["keys"]])
        heads = [ring.open(Note.parse(one["note"])) for one in (old, new)]
        path = f"/v1/heads/{heads[1].size}/consistency?from={heads[0].size}"
        response = await api.send("GET", path)
        assert "immutable" in response.headers["cache-control"]
        proof = msgspec.json.decode(response.content, type=Consistency)
        check_heads(*heads, proof)

    async def test_there_is_one_from_every_size(self, api, games):
        size = games[2][1].size
        for old in (1, 2, size - 1, size):
            assert len((await api.get(f"/v1/heads/{size}/consistency?from={old}"))["hashes"]) < 12

    async def test_sizes_beyond_the_latest_head_are_not_found(self, api, games):
        size = games[2][1].size
        for beyond in (size + 1, 10**14, "9" * 30):
            await api.refused("not_found", "GET", f"/v1/heads/{beyond}/consistency?from=1")

    @pytest.mark.parametrize(
        "query",
        ["", "from=0", "from=-1", "from=9999", "from=x", "from=1e3", "from=" + "9" * 40, "from=1&from=1", "to=1"],
    )
    async def test_older_sizes_that_cannot_be_are_refused(self, api, games, query):
        await api.refused("invalid", "GET", f"/v1/heads/{games[2][1].size}/consistency?{query}")


class TestInclusion:
    async def test_every_event_of_a_game_is_proved(self, api, games, services):
        ada, made, _ = games
        for game in made:
            events = await services.store.read(game)
            for event in events:
                told = await api.get(f"/v1/games/{game}/inclusion?version={event.header.version}", ada)
                assert (told["version"], told["digest"]) == (event.header.version, event.digest.hex())
                logged = check(proof_in(told), event.digest)
                assert (logged.position, logged.head.size) == (event.position, told["size"])
            newest = await api.get(f"/v1/games/{game}/inclusion", ada)
            assert newest["version"] == len(events)

    async def test_a_redacted_reader_may_have_it(self, api, games, services):
        """It tells digests, and a digest tells nothing (each of its items is salted)."""
        ada, _, _ = games
        running = await api.game(ada)
        await services.signer.sign()
        told = await api.get(f"/v1/games/{running}/inclusion")
        assert told["digest"] == (await api.get(f"/v1/games/{running}"))["digest"]

    async def test_under_an_older_head(self, api, games):
        ada, (first, second), (head, _) = games
        told = await api.get(f"/v1/games/{first}/inclusion?size={head.size}", ada)
        assert (told["size"], told["head"]) == (head.size, head.note)
        await api.refused("not_found", "GET", f"/v1/games/{second}/inclusion?size={head.size}", ada)
        await api.refused("not_found", "GET", f"/v1/games/{first}/inclusion?size={head.size - 1}", ada)

    async def test_what_no_head_reaches_to_yet_is_not_found(self, api, games, services):
        ada, _, _ = games
        game = await api.game(ada)
        problem = await api.refused("not_found", "GET", f"/v1/games/{game}/inclusion", ada)
        assert "does not reach" in problem["detail"]
        version = (await services.signer.sign()) and (await api.get(f"/v1/games/{game}"))["version"]
        await api.get(f"/v1/games/{game}/inclusion?version={version}", ada)
        await api.act(game, ada)
        assert (await api.get(f"/v1/games/{game}/inclusion", ada))["version"] == version
        await api.refused("not_found", "GET", f"/v1/games/{game}/inclusion?version={version + 1}", ada)

    @pytest.mark.parametrize("version", ["0", "999", "9007199254740992"])
    async def test_versions_that_are_not_there_are_not_found(self, api, games, version):
        ada, (game, _), _ = games
        await api.refused("not_found", "GET", f"/v1/games/{game}/inclusion?version={version}", ada)

    @pytest.mark.parametrize(
        "query", ["version=-1", "version=x", "size=-1", "size=x", "size=1.5", "version=" + "9" * 30, "a=1"]
    )
    async def test_queries_that_cannot_be_are_refused(self, api, games, query):
        ada, (game, _), _ = games
        await api.refused("invalid", "GET", f"/v1/games/{game}/inclusion?{query}", ada)

    async def test_sizes_beyond_all_heads_are_not_found(self, api, games):
        ada, (game, _), _ = games
        for size in (0, 1, 10**9, 2**53):
            await api.refused("not_found", "GET", f"/v1/games/{game}/inclusion?size={size}", ada)

    async def test_a_private_game_is_as_one_that_is_not_there(self, api, services):
        _, ada = await api.player()
        _, bob = await api.player("Bob")
        game = await api.game(ada, ["me", "open", "open"], visibility="private")
        await services.signer.sign()
        unknown = await api.refused("not_found", "GET", "/v1/games/0198c0de-0000-7000-8000-000000000000/inclusion")
        for token in (None, bob):
            for query in ("", "?version=1", "?version=999", "?size=1", "?size=999999"):
                problem = await api.refused("not_found", "GET", f"/v1/games/{game}/inclusion{query}", token)
                assert problem["detail"] == unknown["detail"]
        assert (await api.get(f"/v1/games/{game}/inclusion", ada))["version"] == 2
        invite = await api.post(f"/v1/games/{game}/invites", ada)
        invited = {"Turnlog-Invite": invite["code"]}
        assert (await api.get(f"/v1/games/{game}/inclusion", bob, headers=invited))["version"] == 2
        other = await api.game(ada)
        token = (await api.post("/v1/tokens", ada, {"game": other, "scopes": ["watch"]}))["token"]
        await api.refused("not_found", "GET", f"/v1/games/{game}/inclusion", token)

    async def test_caches_keep_it_for_its_reader_alone(self, api, games):
        ada, (game, _), _ = games
        response = await api.send("GET", f"/v1/games/{game}/inclusion", token=ada)
        assert response.headers["cache-control"].startswith("private")
        assert "Authorization" in response.headers["vary"]


class TestReplays:
    async def test_a_replay_has_the_proof_as_far_as_a_head_reaches(self, api, games, services, tmp_path):
        ada, (game, _), _ = games
        source = (await api.send("GET", f"/v1/games/{game}/replay")).content
        logged = parse(source).logged
        assert logged is not None
        check_trust(logged, [read_key(tmp_path / "heads.key").public])
        kept = await api.post(
            "/v1/replays", ada, content=source, headers={"Content-Type": "application/vnd.turnlog.replay+x-ndjson"}
        )
        assert (await api.send("GET", f"/v1/replays/{kept['replay']}")).content == source

    async def test_before_the_first_head_it_has_none(self, api):
        _, ada = await api.player()
        game = await api.game(ada)
        await api.end(game, ada)
        assert b'{"log"' not in (await api.send("GET", f"/v1/games/{game}/replay")).content

    async def test_an_import_with_a_proof_that_does_not_hold_is_refused(self, api, games):
        ada, (game, other), _ = games
        one, two = [
            (await api.send("GET", f"/v1/games/{name}/replay")).content.splitlines(keepends=True)
            for name in (game, other)
        ]
        content = b"".join([*one[:-2], two[-2], one[-1]])
        headers = {"Content-Type": "application/vnd.turnlog.replay+x-ndjson"}
        problem = await api.refused("corrupt_replay", "POST", "/v1/replays", ada, content=content, headers=headers)
        assert problem["line"] == len(one) - 1


@pytest.mark.parametrize(
    "tampering",
    ["delete from events where position = 2", "update events set digest = zeroblob(32) where position = 2"],
)
async def test_of_a_log_that_was_changed_there_are_no_proofs(api, games, services, expected_errors, tampering):
    ada, (game, _), heads = games
    run = services.database._connection.execute
    for name in ("events_are_not_updated", "events_are_not_deleted"):
        run(f"drop trigger {name}")
    run(tampering)
    problem = await api.refused("unavailable", "GET", f"/v1/games/{game}/inclusion", ada)
    assert "not as it was signed" in problem["detail"]
    if "delete" in tampering:
        await api.refused("unavailable", "GET", f"/v1/heads/{heads[1].size}/consistency?from=1")
    with pytest.raises(TreeBroken):
        await proof_of(services.signer, game)
    expected_errors.add("log_differs")
    assert await proof_for_replay(services.signer, game, 3) is None


async def proof_of(signer, game):
    return await prove(signer, game, 3, await signer.heads.latest())
