"""Documentation: the OpenAPI document, a page made from it without any script, and what each problem means."""

from functools import cache
from html import escape
from typing import Any, Final

from games.kernel import encode
from server.http import Answer, Call, Header
from server.openapi import openapi_document
from server.operations import PUBLIC, Operation, operation
from server.problems import CODES, Problem

HTML: Final = "text/html"

_STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "code,pre{font-family:ui-monospace,monospace}pre{overflow:auto}summary{cursor:pointer}"
)
_HEADERS: Final[tuple[Header, ...]] = (
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
    (b"cache-control", b"no-cache"),
)


@operation(Operation(method="GET", path="/schema/openapi.json", needs=PUBLIC, tag="documentation", answer=dict))
async def openapi(request: Call) -> Answer:
    """This API as OpenAPI 3.1."""
    del request
    return Answer(_document(), headers=[(b"cache-control", b"no-cache")])


@operation(Operation(method="GET", path="/schema", needs=PUBLIC, tag="documentation", media=(HTML,)))
async def schema(request: Call) -> Answer:
    """This API as a page to read."""
    del request
    return _page("turnlog: the API", _overview())


@operation(
    Operation(
        method="GET",
        path="/problems/{code:str}",
        needs=PUBLIC,
        tag="documentation",
        media=(HTML,),
        problems=("not_found",),
    )
)
async def problem(request: Call) -> Answer:
    """What a problem's code means."""
    code = request.text("code")
    if code not in CODES:
        raise Problem("not_found", "There is no such problem.")
    status, title = CODES[code]
    words = f"<p>HTTP status {status}. The answer's <code>detail</code> says what is wrong and what to do.</p>"
    return _page(f"{code}: {title}", words)


@cache
def _document() -> bytes:
    return encode(_openapi())


@cache
def _openapi() -> dict[str, Any]:
    from server.routes import HANDLERS  # noqa: PLC0415 - these handlers are among them

    return openapi_document(HANDLERS)


@cache
def _overview() -> str:
    parts = ['<p>As <a href="/schema/openapi.json">OpenAPI 3.1</a>.</p>']
    for path, operations in _openapi()["paths"].items():
        for method, told in operations.items():
            parts.append(
                f"<details><summary><code>{method.upper()} {escape(path)}</code> {escape(told['summary'])}</summary>"
                f"<p>{escape(told['description'])}</p>{_parameters(told)}{_responses(told)}</details>"
            )
    return "".join(parts)


def _parameters(told: dict[str, Any]) -> str:
    rows = [f"<li><code>{escape(one['name'])}</code> ({one['in']})</li>" for one in told["parameters"]]
    for media, body in told.get("requestBody", {}).get("content", {}).items():
        example = encode(body["example"]).decode() if "example" in body else ""
        rows.append(f"<li>body: {escape(media)} <code>{escape(example)}</code></li>")
    return f"<ul>{''.join(rows)}</ul>" if rows else ""


def _responses(told: dict[str, Any]) -> str:
    rows = [f"<li>{status}: {escape(one['description'])}</li>" for status, one in told["responses"].items()]
    return f"<ul>{''.join(rows)}</ul>"


def _page(title: str, body: str) -> Answer:
    name = escape(title)
    whole = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{name}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body><h1>{name}</h1>{body}</body></html>"
    )
    return Answer(whole.encode(), media=f"{HTML}; charset=utf-8", headers=_HEADERS)


HANDLERS = [openapi, schema, problem]
