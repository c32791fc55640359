"""A real server and a real browser, one each a process; every page is watched for faults and foreign addresses."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from chrome import Browser, Page
from site_under_test import Site

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser."""
    with Browser.open() as opened:
        yield opened


@pytest.fixture(scope="session")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that tests share: none may count on being alone there, or stop it."""
    site = Site(tmp_path_factory.mktemp("site"))
    site.start()
    yield site
    site.stop()


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """A server that a test may kill."""
    site = Site(tmp_path)
    site.start()
    yield site
    site.stop()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[[Site], Page]]:
    """Opens the first page of a site, as somebody new. At the end: no errors, no broken policy, no foreign address."""
    pages: list[tuple[Page, Site]] = []

    def opened(site: Site, **size: int) -> Page:
        page = browser.page(**size)
        pages.append((page, site))
        page.go(f"{site.address}/")
        page.sees("New game")
        return page

    yield opened
    for page, site in pages:
        page.run("0")  # let events that are under way come in
        assert page.faults == []
        own = (f"{site.address}/", f"ws://127.0.0.1:{site.port}/", "data:", "about:", f"blob:{site.address}/")
        assert [address for address in page.addresses if not address.startswith(own)] == []
        page.close()
