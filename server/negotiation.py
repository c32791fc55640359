"""Content negotiation (RFC 9110, section 12): what a client would like best of what there is."""

from collections.abc import Sequence
from functools import lru_cache

from server.problems import Problem

DEFAULT_LANGUAGE = "en"


def best_media(accept: str | None, offers: Sequence[str]) -> str:
    """The media type to answer with: the one liked best, the earlier offer among equals.

    Raises:
        Problem: `not_acceptable`: it would take none of them.
    """
    if accept is None or accept == "*/*":
        return offers[0]
    best = _best_media(accept, tuple(offers))
    if best is None:
        raise Problem("not_acceptable", f"This can be had as {', '.join(offers)}.", offers=list(offers))
    return best


@lru_cache(512)
def _best_media(accept: str, offers: tuple[str, ...]) -> str | None:
    wanted = _parse(accept)

    def quality(offer: str) -> float:
        kind = offer.partition("/")[0]
        for name in (offer, f"{kind}/*", "*/*"):  # the most specific one decides
            if name in wanted:
                return wanted[name]
        return 0.0

    best = max(offers, key=quality)
    return best if quality(best) > 0 else None


@lru_cache(512)
def best_language(accept: str | None, offers: tuple[str, ...]) -> str:
    """The language to answer in; English if none of those wanted is there."""
    if accept is None:
        return DEFAULT_LANGUAGE
    wanted = sorted(_parse(accept).items(), key=lambda item: -item[1])
    for language, quality in wanted:
        for offer in (language, language.partition("-")[0]):
            if offer in offers and quality > 0:
                return offer
    return DEFAULT_LANGUAGE


def _parse(header: str) -> dict[str, float]:
    """The names of a header with their qualities; what cannot be read has quality 1."""
    wanted: dict[str, float] = {}
    for part in header.split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        weight = next((text[2:] for text in parameters if text.startswith("q=")), "1")
        try:
            wanted[name] = float(weight)
        except ValueError:
            wanted[name] = 1.0
    return wanted
