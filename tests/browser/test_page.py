"""The first page in a real browser: everything is pressed, written and read as a person does."""

import json
import re
from pathlib import Path

import pytest
from chrome import Page
from site_under_test import Site

pytestmark = pytest.mark.slow

ENTER = 13
ARROW_LEFT = 37


def sign_up(page: Page, name: str) -> None:
    """Sign up in the corner of the page."""
    page.write("#player input", name)
    page.press("Play as a guest")
    page.sees("Sign out")


def new_game(page: Page) -> None:
    """Open the form; the lobby has a list of rulesets too."""
    page.press("New game", "nav")
    page.wait("document.querySelector('h1')?.textContent === 'New game'")


def choose_tpoc(page: Page) -> None:
    """Begin a new game of TPOC; its form is there when it offers five seats."""
    new_game(page)
    page.choose("Ruleset", "tpoc")
    page.wait("[...document.querySelectorAll('option')].some((one) => one.value === '5')")


def make_game(page: Page, name: str, seats: list[str]) -> None:
    """Make a game of TPOC."""
    choose_tpoc(page)
    page.choose("Number of seats", str(len(seats)))
    for number, plan in enumerate(seats):
        page.choose(f"Seat {number}", plan)
    page.write(".form input[type=text]", name)
    page.press("Make the game")
    page.wait("document.querySelector('.connection.live')")


def act(page: Page) -> None:
    """Press the first action there is, and wait until it has come back as an event."""
    page.wait("document.querySelector('.act')")
    before = version(page)
    page.press_element(".act")
    page.wait(f"Number(document.querySelector('.at').textContent.split('/')[1]) > {before}")


def version(page: Page) -> int:
    """The newest version that the page knows."""
    return int(page.run("document.querySelector('.at').textContent.split('/')[1]"))


def by_hand(page: Page, action: dict[str, object]) -> None:
    """Write an action as JSON."""
    if not page.run("document.querySelector('.byhand').open"):
        page.press("Another action")
    page.run(
        f"""(() => {{
            const field = document.querySelector(".byhand textarea");
            field.value = {json.dumps(json.dumps(action))};
            field.dispatchEvent(new Event("input", {{bubbles: true}}));
        }})()"""
    )


def test_a_guest_plays_with_bots_and_is_refused_with_the_rule(visit, shared_site: Site) -> None:
    page = visit(shared_site)
    sign_up(page, "Ada")
    make_game(page, "Ada and three bots", ["me", "bot:random", "bot:random", "bot:random"])
    page.sees("must decide")
    assert page.run("document.title").startswith("● Ada and three bots")
    by_hand(page, {"action": "choose_setup", "platform": [], "tiles": []})
    page.press("Is it legal?")
    page.wait("document.querySelector('.refusal code')?.textContent === 'TPOC-3.4'")
    before = version(page)
    page.press("Play it")
    page.wait("document.querySelector('.refusal code')?.textContent === 'TPOC-3.4'")
    act(page)
    assert version(page) > before
    page.wait("document.querySelector('.refusal') === null")
    page.wait("document.querySelectorAll('.card').length === 4")
    page.sees("hidden")
    page.press("Games", "nav")
    page.wait("document.querySelector('.rows')?.innerText.includes('Ada and three bots')")


def test_the_token_outlives_the_page(visit, shared_site: Site) -> None:
    page = visit(shared_site)
    sign_up(page, "Grace")
    page.go(f"{shared_site.address}/#/new")
    page.call("Page.reload")
    page.sees("Grace")
    page.press("Sign out")
    page.press("Forget", "dialog")
    page.sees("Play as a guest")


def test_a_long_list_of_actions_is_narrowed_field_by_field(visit, shared_site: Site) -> None:
    page = visit(shared_site)
    sign_up(page, "Ada")
    make_game(page, "Many actions", ["me", "bot:random", "bot:random"])
    page.wait("document.querySelector('.narrow select')")
    count = "document.querySelector('.decision [role=status]').textContent"
    total = int(page.run(count).split(" of ")[1])
    assert page.run("document.querySelectorAll('.act').length") < total
    page.run(
        """document.querySelectorAll(".narrow select").forEach((_, n) => {
            const field = document.querySelectorAll(".narrow select")[n];
            field.value = field.options[1].value;
            field.dispatchEvent(new Event("change", {bubbles: true}));
        })"""
    )
    page.wait(f"{count} === '1 of {total}'")
    page.wait("document.querySelectorAll('.act').length === 1")
    act(page)


def test_the_keyboard_plays_and_keeps_its_place(visit, shared_site: Site) -> None:
    page = visit(shared_site)
    sign_up(page, "Ada")
    make_game(page, "By keyboard", ["me", "bot:random", "bot:random"])
    page.wait("document.querySelector('.act')")
    before = version(page)
    page.run("document.querySelector('.act').focus()")
    page.key("Enter", ENTER, "\r")
    page.wait(f"Number(document.querySelector('.at').textContent.split('/')[1]) > {before}")
    page.run("document.querySelector('input[type=range]').focus()")
    page.key("ArrowLeft", ARROW_LEFT)
    page.sees("Back to now")
    assert page.run("document.activeElement.type") == "range"
    page.wait("document.getElementById('status').textContent.startsWith('Version ')")


def test_a_deck_is_brought_when_a_game_is_made_and_when_one_sits_down(visit, shared_site: Site) -> None:
    ada, cleo = visit(shared_site), visit(shared_site)
    sign_up(ada, "Ada")
    new_game(ada)
    ada.choose("Ruleset", "host_tournament")
    ada.sees("paper, scissors, stone")
    ada.choose("Seat 1", "open")
    ada.write(".form textarea", "glasgow_cardiff")
    ada.write(".form input[type=text]", "With decks")
    ada.press("Make the game")
    ada.wait("document.querySelector('.connection.live')")
    sign_up(cleo, "Cleo")
    cleo.go(ada.run("location.href"))
    cleo.write("main textarea", '{"pint": 60}')
    cleo.press("Sit down")
    cleo.sees("a deck has a location to start at (HT-2.1)")
    cleo.run("document.querySelector('main textarea').value = ''")
    cleo.write("main textarea", '{"bent_corner": 1, "judges_whistle": 59}')
    cleo.press("Sit down")
    cleo.sees("must decide")


def test_a_form_that_comes_late_does_not_replace_that_of_the_ruleset_chosen_last(visit, shared_site: Site) -> None:
    page = visit(shared_site)
    page.run(
        """(() => {
            const fetched = window.fetch;
            window.late = false;
            window.fetch = async (...asked) => {
                const answer = await fetched(...asked);
                if (!String(asked[0]).includes("block_mania")) return answer;
                await new Promise((go) => setTimeout(go, 400));
                setTimeout(() => { window.late = true; }, 100);
                return answer;
            };
        })()"""
    )
    new_game(page)
    choose_tpoc(page)
    page.wait("window.late")
    assert page.run("[...document.querySelectorAll('option')].some((one) => one.value === '5')")


def test_undo_asks_for_consent_which_is_refused_given_or_not_awaited(visit, shared_site: Site) -> None:
    ada, cleo = visit(shared_site), visit(shared_site)
    sign_up(ada, "Ada")
    make_game(ada, "With consent", ["me", "open", "bot:random"])
    sign_up(cleo, "Cleo")
    cleo.go(ada.run("location.href"))
    cleo.press("Sit down")
    act(cleo)
    act(ada)
    ada.write(".talk input", "May I take that back?")
    ada.press("Say")
    cleo.sees("May I take that back?")
    ask = "asks to take the game to how it was at version"

    def wish() -> None:
        """The first act of Ada was a sealed one, answered by Cleo too, so Cleo is asked."""
        ada.wait("document.querySelector('[data-kind=acted]')")
        started = ada.run("Number(document.querySelector('[data-kind=started] .version').textContent)")
        ada.run(f"document.querySelector('[data-key=\"version {started}\"]').click()")
        ada.press("Take the game back to version")
        cleo.wait(f"document.querySelector('.request')?.innerText.includes({json.dumps(ask)})")

    wish()
    cleo.press("Refuse", ".request")
    ada.wait("document.querySelector('[data-kind=undo_answered]')?.innerText.includes('refuses')")
    wish()
    ada.press("Withdraw the request")
    cleo.wait("document.querySelector('[data-kind=undo_withdrawn]')")
    wish()
    cleo.press("Agree", ".request")
    ada.wait("document.querySelector('[data-kind=rewound]')")
    ada.wait("document.querySelector('.log .gone')")
    ada.sees("must decide")


def test_the_page_resumes_after_the_server_was_killed(visit, own_site: Site) -> None:
    page = visit(own_site)
    sign_up(page, "Ada")
    make_game(page, "Power cut", ["me", "bot:random", "bot:random"])
    act(page)
    own_site.kill()
    page.wait("document.querySelector('.connection.waiting')")
    own_site.start()
    page.wait("document.querySelector('.connection.live')", 40)
    act(page)
    versions = page.run("[...document.querySelectorAll('.log .version')].map((one) => Number(one.textContent))")
    assert versions == list(range(len(versions), 0, -1))


def test_an_invitation_opens_a_private_game(visit, shared_site: Site) -> None:
    ada, cleo = visit(shared_site), visit(shared_site)
    sign_up(ada, "Ada")
    choose_tpoc(ada)
    ada.choose("Who may see the game", "private")
    ada.choose("Seat 1", "open")
    ada.press("Make the game")
    ada.press("Make an invitation")
    ada.wait("document.querySelector('output.code')?.textContent")
    link = ada.run("document.querySelector('output.code').textContent")
    cleo.go(link.split("?")[0])
    cleo.sees("This cannot be shown")
    cleo.go(link)
    cleo.press("Sit down")
    cleo.sees("must decide")
    ada.sees("must decide")


def ended_game(site: Site) -> tuple[str, str]:
    """A game with a line of play taken back, given up by its human and ended by bots; and the player's token."""
    token = site.sign_up()
    made = site.told(
        "POST", "/v1/games", token, {"ruleset": "tpoc", "seats": ["me", "bot:random", "bot:random"], "name": "Ended"}
    )
    base = f"/v1/games/{made['game']}"
    own = site.told("GET", f"{base}/actions", token)["decisions"]
    first = next(one for one in own if one["seat"] == 0)["actions"][0]["action"]
    site.told("POST", f"{base}/actions", token, {"seat": 0, "action": first}, "*")
    site.told("POST", f"{base}/undo", token, {}, "*")
    site.told("POST", f"{base}/resign", token, {})
    return made["game"], token


def look(page: Page, at: int) -> None:
    """Move the slider."""
    page.run(
        f"""(() => {{
            const slider = document.querySelector("input[type=range]");
            slider.value = {at};
            slider.dispatchEvent(new Event("input"));
        }})()"""
    )
    page.wait(f"document.querySelector('.at').textContent.startsWith('{at} /')")


def test_an_ended_game_is_seen_at_every_version_and_by_every_reader(visit, shared_site: Site) -> None:
    game, _ = ended_game(shared_site)
    page = visit(shared_site)
    page.go(f"{shared_site.address}/#/games/{game}")
    page.wait("document.querySelector('.result')", 60)
    assert re.search(r"Won by|Nobody won", page.text())
    page.choose("Seen by", "all")
    taken_back = page.run("Number(document.querySelector('[data-kind=acted].gone .version')?.textContent ?? 0)")
    assert taken_back > 0
    look(page, taken_back)
    page.wait("document.querySelector('.caption')?.innerText.includes('taken back')")
    page.wait("document.querySelectorAll('.card .hidden').length === 0")
    page.choose("Seen by", "1")
    page.wait("document.querySelectorAll('.card .hidden').length > 0")
    page.press("First version")
    page.press("Play", ".timeline")
    page.wait("Number(document.querySelector('.at').textContent.split(' /')[0]) >= 6")
    page.press("Stop", ".timeline")
    page.press("Newest version")
    page.wait("document.querySelector('.caption').innerText === ''")


def test_a_replay_is_brought_viewed_and_refused_when_it_was_changed(visit, shared_site: Site, tmp_path: Path) -> None:
    game, token = ended_game(shared_site)
    page = visit(shared_site)
    page.go(f"{shared_site.address}/#/games/{game}")
    page.wait("document.querySelector('.result')", 60)
    replay = shared_site.api("GET", f"/v1/games/{game}/replay", token)
    sound, changed = tmp_path / "sound.ndjson", tmp_path / "changed.ndjson"
    sound.write_bytes(replay)
    changed.write_bytes(replay.replace(b'"red"', b'"rex"', 1))
    page.press("Replays", "nav")
    page.sees("Verify and view")
    page.files("input[type=file]", changed)
    page.press("Verify and view")
    page.wait("document.querySelector('.refusal')?.innerText.includes('Line')")
    page.files("input[type=file]", sound)
    page.press("Verify and view")
    page.sees("replay, verified")
    page.wait("document.querySelectorAll('.card').length === 3")
    page.press("One version on")
    page.sees("To the end")


def test_an_ended_game_is_forked_from_a_version(visit, shared_site: Site) -> None:
    game, _ = ended_game(shared_site)
    page = visit(shared_site)
    sign_up(page, "Ada")
    page.go(f"{shared_site.address}/#/games/{game}")
    page.wait("document.querySelector('.result')", 60)
    start = page.run("Number(document.querySelector('input[type=range]').min)")
    look(page, start)
    page.press(f"Fork from version {start}")
    page.sees(f"fork of version {start}")
    page.sees("sandbox")
    page.sees("must decide")


@pytest.mark.parametrize("width", [320, 768, 1280, 1800])
def test_no_width_scrolls_sideways(visit, shared_site: Site, width: int) -> None:
    game, _ = ended_game(shared_site)
    page = visit(shared_site, width=width)
    fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    for address in ("", "new", "replays", f"games/{game}"):
        page.go(f"{shared_site.address}/#/{address}")
        page.wait("document.querySelector('h1') && document.querySelector('.page > :not(.quiet)')")
        page.wait(fits)


def test_who_follows_the_game_is_shown_and_who_has_gone_is_not(visit, shared_site: Site) -> None:
    ada = visit(shared_site)
    sign_up(ada, "Ada")
    make_game(ada, "In company", ["me", "open", "open"])
    ada.sees("nobody else is here")
    bob = visit(shared_site)
    sign_up(bob, "Bob")
    bob.go(f"{shared_site.address}/{ada.run('location.hash')}")
    ada.sees("1 watching")
    bob.press("Sit down")
    ada.sees("here: Bob")
    bob.sees("here: Ada")
    bob.go(f"{shared_site.address}/#/")
    ada.sees("nobody else is here")


REFUSED_ONCE = """
    const Real = WebSocket;
    window.refusals = 0;
    window.WebSocket = class extends Real {
      addEventListener(type, heard) {
        super.addEventListener(type, (event) => {
          if (type === "message" && !window.refusals && JSON.parse(event.data).type === "subscribed") {
            window.refusals += 1;
            const problem = {code: "unavailable", detail: "Not yet.", retry_after: 1};
            heard(new MessageEvent("message", {data: JSON.stringify({type: "refused", problem})}));
          } else {
            heard(event);
          }
        });
      }
    };
"""


def test_who_is_refused_for_a_moment_comes_again(visit, shared_site: Site) -> None:
    page = visit(shared_site)
    sign_up(page, "Ada")
    make_game(page, "Not yet", ["me", "open", "open"])
    game = page.run("location.hash")
    page.run(f"(() => {{ {REFUSED_ONCE} }})()")
    page.go(f"{shared_site.address}/#/")
    page.wait("!document.querySelector('.connection')")
    page.go(f"{shared_site.address}/{game}")
    page.wait("window.refusals === 1 && document.querySelector('.connection.waiting')")
    page.sees("Not yet.")
    page.wait("document.querySelector('.connection.live')")
