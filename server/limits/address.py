"""Who is at the other end: the client's address behind a known number of proxies, never what the client claims."""

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

#: Where the client's address is kept in the ASGI scope.
ADDRESS: Final = "turnlog.address"

#: A customer of an IPv6 network has at least so many bits of its own below: an address of them means nothing.
_IPV6_HOST_BITS: Final = 64


def client_address(scope: Mapping[str, Any], proxies: int) -> str:
    """The address that stands for the client in limits; `proxies`: how many of ours a request has come through.

    Each proxy appends to X-Forwarded-For whom it was talking to. So the entry that the outermost of ours has made is
    the one that counts, and all further left was said by the client. A request with fewer entries than proxies has not
    come through them: then it is the peer itself. IPv6 addresses stand for their /64 network.
    """
    peer = (scope.get("client") or ("",))[0]
    if proxies <= 0:
        return _network(peer) or peer
    said = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    entries = said.decode("latin-1").split(",")
    told = _network(entries[-proxies].strip()) if len(entries) >= proxies else None
    return told or _network(peer) or peer


def client_scheme(scope: Mapping[str, Any], proxies: int) -> str:
    """`https` if the request was so, or a trusted proxy says that it was (X-Forwarded-Proto)."""
    said = [value for name, value in scope["headers"] if name == b"x-forwarded-proto"]
    if proxies > 0 and said and said[-1].rpartition(b",")[2].strip() in (b"https", b"wss"):
        return "https"
    return str(scope["scheme"])


def _network(text: str) -> str | None:
    """What an address (perhaps with a port) counts as; None if it is none."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> _IPV6_HOST_BITS << _IPV6_HOST_BITS)}/{_IPV6_HOST_BITS}"
