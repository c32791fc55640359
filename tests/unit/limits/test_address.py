"""The client's address: never what the client says of itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.limits.address import client_address, client_scheme

PEER = "10.0.0.9"


def scope(*forwarded, peer=PEER, proto=()):
    headers = [(b"x-forwarded-for", text.encode("latin-1")) for text in forwarded]
    headers += [(b"x-forwarded-proto", text.encode("latin-1")) for text in proto]
    return {"client": (peer, 1), "headers": headers, "scheme": "http"}


@given(st.lists(st.text(st.characters(max_codepoint=255)), max_size=3))
def test_without_proxies_nothing_that_is_said_counts(said):
    assert client_address(scope(*said), 0) == PEER


@given(st.text(st.characters(max_codepoint=255)))
def test_what_stands_left_of_the_trusted_entries_counts_for_nothing(said):
    assert client_address(scope(f"{said}, 192.0.2.7"), 1) == "192.0.2.7"
    assert client_address(scope(said, "192.0.2.7"), 1) == "192.0.2.7"
    assert client_address(scope(f"{said}, 192.0.2.7, 10.0.0.1"), 2) == "192.0.2.7"


@pytest.mark.parametrize("forwarded", [(), ("192.0.2.7",), ("x, 10.0.0.1",), (", 10.0.0.1",)])
def test_a_request_that_has_not_come_through_all_proxies_counts_as_its_peer(forwarded):
    assert client_address(scope(*forwarded), 2) == PEER


@pytest.mark.parametrize(
    ("told", "counts_as"),
    [
        ("192.0.2.7:4711", "192.0.2.7"),
        ("[2001:db8:1:2:3::9]:4711", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_addresses_in_all_their_forms(told, counts_as):
    assert client_address(scope(told), 1) == counts_as
    if ":4711" not in told:
        assert client_address(scope(peer=told), 0) == counts_as


def test_a_socket_without_a_peer_has_one_address_for_all():
    assert client_address({"client": None, "headers": []}, 0) == ""


@pytest.mark.parametrize(
    ("proto", "proxies", "scheme"),
    [(("https",), 1, "https"), (("http, https",), 1, "https"), (("https", "http"), 1, "http"), (("https",), 0, "http")],
)
def test_only_a_trusted_proxy_says_that_it_was_https(proto, proxies, scheme):
    assert client_scheme(scope(proto=proto), proxies) == scheme
