"""Maps in a real browser: what a view says of its map is drawn, told and pressed, whatever the ruleset."""

import json
from typing import Any

import pytest
from chrome import Page
from site_under_test import Site

pytestmark = pytest.mark.slow

ARROW_RIGHT, ENTER = 39, 13
CHARACTERS = {"characters": [["steve", "jeff"]]}


def game(site: Site, ruleset: str, options: dict[str, Any] | None = None, seats: int = 1) -> tuple[str, str]:
    """A new game of one person, the other seats bots'; and the player's token."""
    token = site.sign_up()
    plan = ["me", *["bot:random"] * (seats - 1)]
    made = site.told("POST", "/v1/games", token, {"ruleset": ruleset, "seats": plan, "options": options or {}})
    return made["game"], token


def play(site: Site, of: tuple[str, str], **wanted: Any) -> None:
    """Play the first legal action that has these fields."""
    name, token = of
    told = site.told("GET", f"/v1/games/{name}/actions", token)
    actions = [one["action"] for one in told["decisions"][0]["actions"]]
    action = next(one for one in actions if wanted.items() <= one.items())
    site.api("POST", f"/v1/games/{name}/actions", token, {"seat": 0, "action": action}, "*")


def opened(page: Page, site: Site, of: tuple[str, str]) -> Page:
    """The page of a game, seen by its player."""
    name, token = of
    page.run(f"localStorage.setItem('turnlog.token', {json.dumps(token)})")
    page.call("Page.reload")
    page.sees("Sign out")
    page.go(f"{site.address}/#/games/{name}")
    page.wait("document.querySelector('.connection.live') && document.querySelector('.table > *')")
    return page


def spot(x: int, y: int) -> str:
    """The cell of the map that begins with this square."""
    return f".map td[data-x='{x}'][data-y='{y}']"


def told(page: Page, x: int, y: int) -> str:
    """What is told of a spot."""
    return str(page.run(f'document.querySelector("{spot(x, y)} .told").textContent'))


def test_the_map_of_portland_has_buildings_streets_and_all_that_lies_there(visit, shared_site: Site) -> None:
    of = game(shared_site, "portland_occupied_zone", CHARACTERS)
    play(shared_site, of, action="place_pulpit", cell=[5, 16])
    page = opened(visit(shared_site), shared_site, of)
    page.wait("document.querySelector('.map')")
    size = f'(({{colSpan, rowSpan}}) => [colSpan, rowSpan])(document.querySelector("{spot(2, 2)}"))'
    assert page.run(size) == [3, 3]
    assert told(page, 2, 2) == "Merda d'Artista · Tunnel"
    assert told(page, 7, 9) == "(7, 9) street, 37th St."
    assert told(page, 3, 16) == "(3, 16) lot · Door: Pizza"
    assert told(page, 5, 16).startswith("The Struggle Pulpit s1")
    assert told(page, 8, 1) == "(8, 1) lot · Dumpster d1"
    assert told(page, 5, 15) == "(5, 15) lot · Camera c3"
    assert told(page, 2, 17) == "Pizza · Tunnel · Steve (Status awake)"
    assert told(page, 9, 9) == "Courthouse · Sgt. Jackson · The Medic"
    pieces = f'[...document.querySelectorAll("{spot(9, 9)} .piece")].map((one) => one.textContent)'
    assert page.run(pieces) == ["Sgt. J", "Medic"]
    streets = page.run("[...document.querySelectorAll('.map .street')].map((one) => one.textContent)")
    assert {"37th St.", "Hawthorne Blvd."} <= set(streets)
    legend = str(page.run("document.querySelector('.legend').innerText"))
    assert all(
        name in legend for name in ("street", "Courthouse Square", "Building", "Structure", "Dumpster", "Character")
    )


def test_a_spot_tells_what_it_is_when_it_is_pointed_at_or_has_the_focus(visit, shared_site: Site) -> None:
    page = opened(visit(shared_site), shared_site, game(shared_site, "portland_occupied_zone", CHARACTERS))
    page.wait("document.querySelector('.map')")
    seen = "[...document.querySelectorAll('.told')].filter((one) => one.offsetHeight > 5).map((one) => one.textContent)"
    assert page.run(seen) == []
    page.run(f'document.querySelector("{spot(1, 3)}").focus()')
    assert page.run(seen) == ["(1, 3) lot"]
    page.key("ArrowRight", ARROW_RIGHT)
    assert page.run(seen) == ["Merda d'Artista · Tunnel"]
    page.key("ArrowRight", ARROW_RIGHT)
    assert page.run(seen) == ["(5, 3) lot"]
    page.run(f'document.querySelector("{spot(10, 4)}").scrollIntoView({{block: "center"}})')
    box = page.run(f'(({{x, y}}) => ({{x, y}}))(document.querySelector("{spot(10, 4)}").getBoundingClientRect())')
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=box["x"] + 5, y=box["y"] + 5)
    page.wait(f"{seen}.join() === '(10, 4) lot · Door: Filthy Rags'")


def test_actions_are_narrowed_to_a_spot_that_is_pressed_and_played(visit, shared_site: Site) -> None:
    page = opened(visit(shared_site), shared_site, game(shared_site, "portland_occupied_zone", CHARACTERS))
    page.sees("Place the Struggle Pulpit")
    assert page.run("document.querySelectorAll('.map td.may').length") > 100
    page.run(f'document.querySelector("{spot(5, 5)}").focus()')
    page.key("Enter", ENTER, "\r")
    page.wait("document.querySelectorAll('.act').length === 1")
    assert page.run("document.querySelector('.spotted b').textContent") == "(5, 5) lot"
    page.press("Show all", ".panel")
    page.wait("document.querySelectorAll('.act').length > 1 && !document.querySelector('.spotted')")
    page.press_element(spot(5, 5))
    page.wait("document.querySelectorAll('.act').length === 1")
    page.press_element(".act")
    page.sees("The Struggle Pulpit stands on (5, 5)")
    page.wait("!document.querySelector('.spotted')")
    page.wait(f"document.querySelector(\"{spot(5, 5)} .told\").textContent.startsWith('The Struggle Pulpit s1')")


def test_undo_and_redo_can_be_pressed_only_where_there_is_something(visit, shared_site: Site) -> None:
    of = game(shared_site, "portland_occupied_zone", CHARACTERS)
    page = opened(visit(shared_site), shared_site, of)
    enabled = "[...document.querySelectorAll('.commands button')].slice(0, 2).map((one) => !one.disabled).join()"
    page.wait(f"{enabled} === 'false,false'")
    play(shared_site, of, action="place_pulpit")
    page.wait(f"{enabled} === 'true,false'")
    page.press("Undo")
    page.wait(f"{enabled} === 'false,true'")
    page.press("Redo")
    page.wait(f"{enabled} === 'true,false'")
    page.press("Undo")
    page.wait(f"{enabled} === 'false,true'")
    play(shared_site, of, action="place_pulpit")
    page.wait(f"{enabled} === 'true,false'")


def test_block_mania_is_drawn_from_its_layers(visit, shared_site: Site) -> None:
    page = opened(visit(shared_site), shared_site, game(shared_site, "block_mania", seats=2))
    while page.wait("document.querySelector('.map .piece') ? 'drawn' : document.querySelector('.act') && 1") != "drawn":
        before = page.run("document.querySelector('.at').textContent")
        page.press_element(".act")
        page.wait(f"document.querySelector('.at').textContent !== {json.dumps(before)}")
    assert page.run("document.querySelector('.map tr td .kind').textContent") == ""
    assert page.run("document.querySelectorAll('.map tbody tr').length") == 11


def test_regions_of_world_war_zed_are_a_table(visit, shared_site: Site) -> None:
    page = opened(visit(shared_site), shared_site, game(shared_site, "world_war_zed"))
    page.wait("document.querySelector('.grid th[scope=row]')?.textContent === 'Pacific Northwest'")
    heads = page.run("[...document.querySelectorAll('.grid')][0].querySelector('thead').innerText")
    assert "City" in heads
    assert "Nukes" not in heads


@pytest.mark.parametrize("width", [320, 1280])
def test_a_map_scrolls_by_itself_and_not_the_page(visit, shared_site: Site, width: int) -> None:
    of = game(shared_site, "portland_occupied_zone", CHARACTERS)
    page = opened(visit(shared_site, width=width), shared_site, of)
    page.wait("document.querySelector('.map')")
    assert page.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
