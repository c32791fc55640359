"""OpenAPI 3.1, generated from the declarations of the operations."""

import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any, Final

import msgspec
from litestar.handlers import HTTPRouteHandler

from server.operations import JSON, PUBLIC, SIGNED_UP, Operation
from server.problems import CODES
from server.shapes_beside import ProblemDocument

_REF: Final = "#/components/schemas/{name}"
_PARAMETER = re.compile(r"\{(\w+):\w+\}")
_CAN_ALWAYS_BE: Final = ("invalid", "not_acceptable", "rate_limited", "internal", "unavailable")
_DESCRIPTION: Final = (
    "Event-sourced games: what games there are, who must act, what is legal and why something is not, what happened, "
    "and what you may see. Errors are problem documents (RFC 9457) with a stable `code`."
)


def openapi_document(handlers: Iterable[HTTPRouteHandler]) -> dict[str, Any]:
    """The document of these operations."""
    operations = [(_declared(handler), handler) for handler in handlers]
    schemas = _schemas({kind for declared, _ in operations for kind in (declared.body, declared.answer)})
    paths: dict[str, dict[str, Any]] = {}
    for declared, handler in operations:
        path = _PARAMETER.sub(r"{\1}", declared.path)
        paths.setdefault(path, {})[declared.method.lower()] = _operation(declared, handler)
    return {
        "openapi": "3.1.1",
        "info": {"title": "turnlog", "version": version("turnlog"), "description": _DESCRIPTION},
        "servers": [{"url": "/"}],
        "tags": [{"name": tag} for tag in dict.fromkeys(declared.tag for declared, _ in operations)],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _schemas(kinds: set[Any]) -> dict[str, Any]:
    named = sorted((kinds | {ProblemDocument}) - {None, dict}, key=lambda kind: str(kind.__name__))
    references, schemas = msgspec.json.schema_components(named, ref_template=_REF)
    unclear = [kind for kind, found in zip(named, references, strict=True) if found != _schema(kind)]
    if unclear:
        raise TypeError(f"several types have the same name: {unclear}")
    return schemas


def _declared(handler: HTTPRouteHandler) -> Operation:
    declared: Operation = handler.opt["operation"]
    return declared


def _operation(declared: Operation, handler: HTTPRouteHandler) -> dict[str, Any]:
    summary = (handler.fn.__doc__ or "").strip()
    needs = {PUBLIC: "No token is needed.", SIGNED_UP: "Needs a token."}
    needed = needs.get(declared.needs, f"Needs a token with the scope `{declared.needs}`.")
    told: dict[str, Any] = {
        "operationId": handler.fn.__name__,
        "tags": [declared.tag],
        "summary": summary,
        "description": needed,
        "security": [{}, {"token": []}] if declared.needs == PUBLIC else [{"token": []}],
        "parameters": [*_path_parameters(declared), *_headers(declared), *_query_parameters(declared)],
        "responses": {str(declared.status): _success(declared), **_failures(declared)},
    }
    if declared.body is not None:
        media: dict[str, Any] = {"schema": _schema(declared.body)}
        if declared.example is not None:
            media["example"] = declared.example
        told["requestBody"] = {"content": {declared.body_media: media}}
    return told


def _path_parameters(declared: Operation) -> list[dict[str, Any]]:
    names: Sequence[str] = _PARAMETER.findall(declared.path)
    number = {"type": "integer", "minimum": 0}
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": number if name in ("seat", "version") else {"type": "string"},
        }
        for name in names
    ]


def _headers(declared: Operation) -> list[dict[str, Any]]:
    wanted = (
        (declared.key, "Idempotency-Key", False, "A repeat with the same key and request gets the first answer."),
        (declared.version, "If-Match", True, 'The version that this was decided on, as "42", or *.'),
        (declared.invite, "Turnlog-Invite", False, "The code of an invitation to a private game."),
    )
    return [
        {"name": name, "in": "header", "required": required, "description": words, "schema": {"type": "string"}}
        for there, name, required, words in wanted
        if there
    ]


def _query_parameters(declared: Operation) -> list[dict[str, Any]]:
    if declared.query is None:
        return []
    schema = msgspec.json.schema_components([declared.query], ref_template=_REF)[1][declared.query.__name__]
    required = schema.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, "schema": told}
        for name, told in schema["properties"].items()
    ]


def _success(declared: Operation) -> dict[str, Any]:
    told: dict[str, Any] = {"description": "Done." if declared.status >= 201 else "Here it is."}
    if declared.status != 204:
        content: dict[str, Any] = {media: {} for media in declared.media}
        if JSON in content and declared.answer is not None:
            content[JSON] = {"schema": _schema(declared.answer)}
        told["content"] = content
    return told


def _failures(declared: Operation) -> dict[str, Any]:
    codes = [*_CAN_ALWAYS_BE, *declared.problems]
    codes += ["unauthenticated"] if declared.needs == PUBLIC else ["unauthenticated", "not_allowed"]
    codes += ["payload_too_large", "unsupported_media_type"] if declared.body is not None else []
    codes += ["key_reused"] if declared.key else []
    codes += ["version_required", "version_conflict"] if declared.version else []
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        by_status.setdefault(CODES[code][0], []).append(code)
    content = {"application/problem+json": {"schema": _schema(ProblemDocument)}}
    return {
        str(status): {"description": ", ".join(f"`{code}`" for code in found), "content": content}
        for status, found in sorted(by_status.items())
    }


def _schema(kind: Any) -> dict[str, Any]:
    return {"type": "object"} if kind is dict else {"$ref": _REF.format(name=kind.__name__)}
