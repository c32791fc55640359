"""Problems: every error a client can get, as RFC 9457 problem details with a stable `code`, on HTTP and sockets."""

from typing import Any, Final

#: Every code with its HTTP status and title. A code never changes its meaning.
CODES: Final[dict[str, tuple[int, str]]] = {
    "invalid": (400, "The request is not well-formed"),
    "not_supported": (400, "Not supported by this server"),
    "unauthenticated": (401, "A token is needed"),
    "not_allowed": (403, "Not yours to do"),
    "not_found": (404, "Not found"),
    "method_not_allowed": (405, "Method not allowed"),
    "not_acceptable": (406, "Not in a form you accept"),
    "request_timeout": (408, "The request took too long to come"),
    "illegal_action": (409, "The rules refuse this action"),
    "not_your_decision": (409, "This seat does not owe this decision"),
    "game_over": (409, "The game is over"),
    "not_started": (409, "The game has not started"),
    "already_started": (409, "The game has started"),
    "game_paused": (409, "The game is paused"),
    "not_overdue": (409, "This seat is not out of time"),
    "proposal_open": (409, "A proposal is open"),
    "proposal_refused": (409, "This cannot be proposed now"),
    "undo_open": (409, "A request to rewind is open"),
    "undo_refused": (409, "This rewind is not possible"),
    "seat_taken": (409, "The seat is taken"),
    "already_done": (409, "Already done"),
    "scenario_mismatch": (409, "The scenario does not fit"),
    "version_conflict": (412, "The game has moved on"),
    "payload_too_large": (413, "Too large"),
    "unsupported_media_type": (415, "Unsupported media type"),
    "key_reused": (422, "This key was used for another request"),
    "corrupt_replay": (422, "This replay is not sound"),
    "version_required": (428, "Say which version you decided on"),
    "rate_limited": (429, "Too many requests"),
    "head_too_large": (431, "The request line and headers are too large"),
    "internal": (500, "Our mistake"),
    "unavailable": (503, "Not available now"),
}


class Problem(Exception):
    """An error answer: `code` from CODES, a sentence a person can act on, and further members."""

    def __init__(self, code: str, detail: str, *, headers: dict[str, str] | None = None, **members: Any) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.members = members
        self.headers = headers or {}

    @property
    def status(self) -> int:
        """The HTTP status."""
        return CODES[self.code][0]

    def document(self) -> dict[str, Any]:
        """The problem as the JSON object of `application/problem+json`."""
        status, title = CODES[self.code]
        return {
            "type": f"/problems/{self.code}",
            "title": title,
            "status": status,
            "code": self.code,
            "detail": self.detail,
            **self.members,
        }
