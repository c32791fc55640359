"""What a seat brings (a deck): checked with clear words as it joins, and shown to nobody else."""

import json
from hashlib import sha256
from pathlib import Path

PACK = Path(__file__).parents[2] / "packs/host_tournament/test_pack.json"
SIXTY = {"bent_corner": 1, "tamsin": 2, "judges_whistle": 57}
GAME = {"ruleset": "host_tournament", "seats": ["me", "open"], "options": {"first_player": 0}}


async def test_the_catalogue_says_what_a_seat_brings(api):
    schemas = (await api.get("/v1/rulesets/host_tournament"))["schemas"]
    assert "deck" in json.dumps(schemas["setup"])
    assert (await api.get("/v1/rulesets/tpoc"))["schemas"]["setup"] is None


async def test_a_deck_that_breaks_the_rules_is_refused_and_the_seat_stays_free(api):
    _, ann = await api.player("Ann")
    _, bob = await api.player("Bob")
    game = (await api.post("/v1/games", ann, GAME))["game"]
    for deck, words in (
        (SIXTY | {"pinte": 1}, "pinte: there is no such card in this pack (HT-0.2)"),
        ({**SIXTY, "tamsin": 1}, "a deck has 60 cards, this one 59 (HT-1.2)"),
        ("mine", "there is no sample deck mine"),
        ({"tamsin": "two"}, "deck"),
    ):
        problem = await api.refused("invalid", "POST", f"/v1/games/{game}/seats/1", bob, {"setup": {"deck": deck}})
        assert words in problem["detail"], problem
    assert (await api.get(f"/v1/games/{game}", ann))["seats"][1]["player"] is None
    problem = await api.refused("invalid", "POST", "/v1/games", ann, GAME | {"setup": {"deck": {"tamsin": 60}}})
    assert "a location to start at (HT-2.1)" in problem["detail"]


async def test_a_deck_is_secret_to_its_seat(api):
    _, ann = await api.player("Ann")
    _, bob = await api.player("Bob")
    game = (await api.post("/v1/games", ann, GAME))["game"]
    await api.post(f"/v1/games/{game}/seats/1", bob, {"setup": {"deck": SIXTY}})
    own = (await api.get(f"/v1/games/{game}/view?seat=1", bob))["view"]
    assert own["seats"][1]["deck_list"] == SIXTY
    for path, token in (
        (f"/v1/games/{game}", ann),
        (f"/v1/games/{game}/view?seat=0", ann),
        (f"/v1/games/{game}/view?seat=spectator", None),
        (f"/v1/games/{game}/events", ann),
        (f"/v1/games/{game}/events", None),
    ):
        told = (await api.send("GET", path, token=token)).text
        assert "judges_whistle" not in told, path
    assert "judges_whistle" in (await api.send("GET", f"/v1/games/{game}/events", token=bob)).text


async def test_who_brings_nothing_and_a_bot_play_sample_decks(api):
    _, ann = await api.player("Ann")
    game = (await api.post("/v1/games", ann, GAME | {"seats": ["me", "bot:random"]}))["game"]
    own = (await api.get(f"/v1/games/{game}/view?seat=0", ann))["view"]
    assert own["seats"][0]["deck_list"]["university_of_warwick"] == 1


async def test_the_cards_of_another_pack_have_their_names_in_the_labels(api, admin):
    source = PACK.read_bytes().replace(b'"pack": "', b'"pack": "named-', 1)
    await api.send(
        "PUT",
        f"/v1/rulesets/host_tournament/content/{sha256(source).hexdigest()}",
        token=admin,
        content=source,
    )
    _, ann = await api.player("Ann")
    deck = {"market_hall": 1, "small_table": 1, "fresher": 58}
    new = GAME | {"seats": ["me", "bot:random"], "pack": json.loads(source)["pack"], "setup": {"deck": deck}}
    game = (await api.post("/v1/games", ann, new))["game"]
    (asked,) = (await api.get(f"/v1/games/{game}/actions?seat=0", ann))["decisions"]
    told = [one["label"]["text"] for one in asked["actions"]]
    assert [text.partition(" at ")[2] for text in told] == ["Market Hall", "The Small Table"], told
