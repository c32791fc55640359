"""The schemas describe what clients get: every effect, action, step and view of whole games, for every reader."""

import asyncio

import jsonschema
import msgspec
import pytest

from games.kernel import EVERYTHING, SPECTATOR
from games.kernel.redact import redact
from games.tpoc import RULES as TPOC
from projections.game import Moment, fold_event
from projections.history import open_game
from projections.views import event_of, view_of
from server.catalogue import Catalogue
from server.replays import ReplayLog, parse
from server.schemas import ruleset_schemas
from server.simulate import Plan, play_games
from tests.integration.replay_kit import CATALOGUE
from tests.tiny import RULES as TINY


def validators(rules):
    schemas = {name: schema for name, schema in ruleset_schemas(rules).items() if schema is not None}
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    return {name: jsonschema.Draft202012Validator(schema) for name, schema in schemas.items()}


async def told(rules, replay):
    """(kind, JSON) of all that readers see of a game."""
    live = await open_game(ReplayLog(replay), {rules.id: rules}, replay.game)
    moment = Moment()
    for event in replay.events:
        if event.effects:
            fold_event(rules, live.meta, moment, event)
        for reader in (0, 1, SPECTATOR, EVERYTHING):
            shown = event_of(rules, event, reader)
            for effect in shown["effects"]:
                yield "effects", effect
            if "action" in shown and shown["kind"] != "hidden":
                yield "actions", shown["action"]
            if moment.state is not None:
                yield "view", view_of(rules, moment.state, reader)
                for step in moment.state.agenda:
                    yield "steps", redact(step, reader)
    yield "options", live.meta.created.options
    if rules is TPOC:  # tiny describes its whole state, of which its positions leave out the setting
        yield "position", rules.position.dump(live.state)


@pytest.mark.parametrize("rules", [TINY, TPOC], ids=["tiny", "tpoc"])
def test_all_that_readers_see_is_as_the_schemas_say(rules):
    catalogue = CATALOGUE if rules is TINY else Catalogue.load()
    replay = parse(play_games(catalogue, Plan(rules.id, 1, "schemas", keep=True), [1])[0].replay)
    known, seen = validators(rules), set()

    async def validate():
        async for kind, value in told(rules, replay):
            data = msgspec.json.encode(value)
            if (kind, data) not in seen:
                seen.add((kind, data))
                known[kind].validate(msgspec.json.decode(data))

    asyncio.run(validate())
    assert {kind for kind, _ in seen} >= {"effects", "actions", "view", "steps", "options"}


def test_a_field_that_not_all_see_is_not_required_and_says_who_sees_it():
    schema = ruleset_schemas(TINY)["effects"]["$defs"]["CardTaken"]
    assert schema["required"] == ["effect", "seat"]
    assert schema["properties"]["card"]["x-visible-to"] == "the seats in seat"
    schema = ruleset_schemas(TINY)["effects"]["$defs"]["DeckShuffled"]
    assert schema["properties"]["cards"]["x-visible-to"] == "nobody before the end"


def test_a_message_that_may_be_unknown_has_the_form_that_stands_in_its_place():
    effects = validators(TINY)["effects"]
    effects.validate({"effect": "hidden"})
    assert not effects.is_valid({"effect": "nonsense"})
    assert not effects.is_valid({"effect": "card_taken"})
