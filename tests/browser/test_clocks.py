"""Clocks in the page: they run by the server's time, pauses are agreed to, and a seat out of time is told."""

import pytest
from chrome import Page
from site_under_test import Site
from test_page import choose_tpoc, sign_up

pytestmark = pytest.mark.slow

#: The machine that the page runs on is an hour ahead of the server.
WRONG = "const real = Date.now.bind(Date); Date.now = () => real() + 3_600_000;"


def shown(page: Page) -> list[float]:
    """What the clocks show, in seconds."""
    faces = page.run("[...document.querySelectorAll('.clock .face')].map((face) => face.textContent)")
    return [seconds(str(face)) for face in faces]


def seconds(face: str) -> float:
    """`19:58` or `12.3 s` in seconds."""
    if face.endswith(" s"):
        return float(face.removesuffix(" s"))
    minutes, rest = face.split(":")
    return int(minutes) * 60 + int(rest)


def test_clocks_run_by_the_servers_time_and_stand_in_an_agreed_pause(visit, shared_site: Site) -> None:
    page = visit(shared_site)
    page.call("Page.addScriptToEvaluateOnNewDocument", source=WRONG)
    page.go(f"{shared_site.address}/?wrong")
    page.sees("New game")
    sign_up(page, "Ada")
    choose_tpoc(page)
    page.choose("Number of seats", "3")
    page.choose("Seat 1", "open")
    page.choose("Clock", "15+10")
    page.choose("Who is out of time", "bot")
    page.press("Make the game")
    page.wait("document.querySelector('.connection.live')")
    game = page.run("location.hash.split('/')[2]")
    bob = shared_site.sign_up()
    shared_site.told("POST", f"/v1/games/{game}/seats/1", bob, {})
    page.wait("document.querySelectorAll('.clock.runs').length === 2")
    first = shown(page)
    assert all(850 < one <= 900 for one in first)
    page.wait(f"document.querySelector('.clock .face').textContent !== '{int(first[0] // 60)}:{int(first[0] % 60):02}'")
    assert all(now < before for now, before in zip(shown(page), first, strict=True))
    shared_site.told("POST", f"/v1/games/{game}/proposals", bob, {"what": "pause"})
    page.sees("proposes to pause the game")
    page.press("Agree")
    page.sees("Paused, until")
    assert not page.run("document.querySelector('.clock.runs')")
    page.press("Propose to go on")
    page.sees("proposes to go on")
    proposal = shared_site.told("GET", f"/v1/games/{game}", bob)["proposal"]["id"]
    shared_site.told("POST", f"/v1/games/{game}/proposals/{proposal}/answer", bob, {"accept": True})
    page.wait("document.querySelectorAll('.clock.runs').length === 2")
    page.sees("The game goes on")


def test_who_is_out_of_time_is_told_and_may_be_claimed(visit, shared_site: Site) -> None:
    page = visit(shared_site)
    sign_up(page, "Ada")
    choose_tpoc(page)
    page.choose("Number of seats", "3")
    page.choose("Seat 1", "open")
    page.choose("Clock", "own")
    written = '{"bank_s": 600, "seats": {"1": {"bank_s": 1}}}'
    page.run(f"document.querySelector('.form textarea:not([hidden])').value = '{written}'")
    page.choose("Who is out of time", "remind")
    page.run("[...document.querySelectorAll('input[type=number]')].at(-1).value = '0'")
    page.press("Make the game")
    page.wait("document.querySelector('.connection.live')")
    game = page.run("location.hash.split('/')[2]")
    shared_site.told("POST", f"/v1/games/{game}/seats/1", shared_site.sign_up(), {})
    page.sees("is out of time")
    page.press("Claim that")
    page.sees("Time has run out for")
    page.sees("out of time 1 ×")
