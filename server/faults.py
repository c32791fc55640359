"""Every error as a problem: ours, the framework's, and bugs, which are logged and told to nobody."""

from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import quote

import structlog
from litestar.connection import Request
from litestar.exceptions import HTTPException
from litestar.response import Response

from games.kernel import encode
from server.damage import unanswered
from server.limits.gate import PROBLEM
from server.meter import count_problem
from server.problems import Problem

log = structlog.get_logger("turnlog")

PROBLEM_JSON: Final = "application/problem+json"

#: The framework's errors by status: code and sentence.
_FRAMEWORK: Final = {
    404: ("not_found", "There is nothing at this address. The addresses are listed at /schema."),
    405: ("method_not_allowed", "This address does not take this method."),
    413: ("payload_too_large", "The body is larger than this address takes."),
}


def problem_of(error: Exception) -> Problem:
    """The problem to answer with."""
    if isinstance(error, Problem):
        return error
    if (problem := unanswered(error)) is not None:
        return problem
    if isinstance(error, HTTPException) and error.status_code < 500:
        code, sentence = _FRAMEWORK.get(error.status_code, ("invalid", f"{error.detail}."))
        return Problem(code, sentence, headers=_allow(error.headers))
    return Problem("internal", "This is our mistake. It was logged under the request id of this answer.")


def fault(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The answer to a request that failed; Litestar's exception handler."""
    problem = problem_of(error)
    if problem.code == "internal":
        log.error("request_failed", method=request.method, path=quote(request.scope["path"]), exc_info=error)
    document = problem.document()
    scope: dict[str, Any] = request.scope  # type: ignore[assignment]  # it has keys of our own
    scope[PROBLEM] = problem.code
    count_problem(request.app.state.services.metrics, document, "http")
    return Response(encode(document), status_code=problem.status, headers=problem.headers, media_type=PROBLEM_JSON)


def _allow(headers: dict[str, str] | None) -> dict[str, str]:
    """The Allow header, without the framework's pseudo-methods."""
    methods: Iterable[str] = (headers or {}).get("allow", "").split(", ")
    real = sorted(method for method in methods if method.isupper())
    return {"Allow": ", ".join(real)} if real else {}
