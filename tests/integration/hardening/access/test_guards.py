"""Every route of the app declares who may call it, and is guarded as it declares."""

import pytest
from litestar.handlers import ASGIRouteHandler, HTTPRouteHandler, WebsocketRouteHandler, get

from server.access import ADMIN, PLAY, SCOPES
from server.app import create_app
from server.auth import GUARDS
from server.operations import PUBLIC, SIGNED_UP, Operation
from server.services import Services
from server.settings import Settings

#: What anybody may call without a token. A route is added here on purpose or not at all.
OPEN = {
    ("GET", "/health/live"),
    ("GET", "/health/ready"),
    ("GET", "/metrics"),
    ("GET", "/problems/{code:str}"),
    ("GET", "/schema"),
    ("GET", "/schema/asyncapi.json"),
    ("GET", "/schema/openapi.json"),
    ("GET", "/v1/games"),
    ("GET", "/v1/games/{game:str}"),
    ("GET", "/v1/games/{game:str}/actions"),
    ("GET", "/v1/games/{game:str}/events"),
    ("GET", "/v1/games/{game:str}/inclusion"),
    ("GET", "/v1/games/{game:str}/messages/{version:str}"),
    ("GET", "/v1/games/{game:str}/proof"),
    ("GET", "/v1/games/{game:str}/replay"),
    ("GET", "/v1/games/{game:str}/view"),
    ("GET", "/v1/heads"),
    ("GET", "/v1/heads/{size:str}"),
    ("GET", "/v1/heads/{size:str}/consistency"),
    ("GET", "/v1/players/{player:str}"),
    ("GET", "/v1/players/{player:str}/results"),
    ("GET", "/v1/replays/{replay:str}"),
    ("GET", "/v1/replays/{replay:str}/events"),
    ("GET", "/v1/replays/{replay:str}/view"),
    ("GET", "/v1/results"),
    ("GET", "/v1/rulesets"),
    ("GET", "/v1/rulesets/{ruleset:str}"),
    ("GET", "/v1/rulesets/{ruleset:str}/content/{pack:str}"),
    ("POST", "/v1/players"),
}


@pytest.fixture
def handlers(anyio_backend):
    app = create_app(Services.open(Settings(database=":memory:")))
    return [handler for route in app.routes for handler in handlers_of(route)]


def handlers_of(route):
    handlers = getattr(route, "route_handlers", None) or [route.route_handler]
    return list(handlers)


async def test_every_route_is_guarded_as_it_declares(handlers):
    assert len(handlers) > 40
    for handler in handlers:
        if getattr(handler, "http_methods", None) != {"OPTIONS"}:  # the framework's own, which tells the methods
            assert_guarded(handler)


def assert_guarded(handler):
    assert not isinstance(handler, ASGIRouteHandler), handler
    if isinstance(handler, WebsocketRouteHandler):
        assert handler.paths == {"/v1/stream"}  # each of its frames is tested beside
        return
    assert isinstance(handler, HTTPRouteHandler)
    declared = handler.opt.get("operation")
    assert isinstance(declared, Operation), f"{handler.paths} declares nothing"
    guards = list(handler.guards or ())
    if declared.needs == PUBLIC:
        assert (guards, handler.opt["public"]) == ([], True)
        assert declared.tag == "page" or (declared.method, declared.path) in OPEN, f"{declared.path} is open to all"
        return
    assert declared.needs in (SIGNED_UP, *SCOPES)
    assert guards == [GUARDS[None if declared.needs == SIGNED_UP else declared.needs]], declared.path
    assert not handler.opt["public"]


async def test_what_changes_a_game_takes_the_scope_to_play_or_more(handlers):
    changing = [h.opt["operation"] for h in handlers if h.opt.get("operation") and h.opt["operation"].method != "GET"]
    games = [one for one in changing if one.path.startswith("/v1/games")]
    assert len(games) >= 15
    assert {one.needs for one in games} == {PLAY, ADMIN}


async def test_a_route_without_a_declaration_is_found():
    @get("/v1/forgotten")
    async def handler() -> None:
        """A route that somebody forgot to declare."""

    with pytest.raises(AssertionError, match="declares nothing"):
        assert_guarded(handler)
