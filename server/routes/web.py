"""The first page: the files of server/web, read once, served with a policy that lets nothing from elsewhere in."""

import mimetypes
from hashlib import sha256
from pathlib import Path
from typing import Final

from litestar.handlers import HTTPRouteHandler

from server.http import Answer, Call, Header, etag
from server.operations import PUBLIC, Operation, operation

FOLDER: Final = Path(__file__).parent.parent / "web"

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PAGE_HEADERS: Final[tuple[Header, ...]] = (
    (b"content-security-policy", _POLICY.encode()),
    (b"cache-control", b"no-cache"),
)


def web_handlers(folder: Path = FOLDER) -> list[HTTPRouteHandler]:
    """A handler for each file of the folder, at its path; index.html is at /."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return [_handler(path, path.relative_to(folder).as_posix()) for path in files]


def _handler(path: Path, name: str) -> HTTPRouteHandler:
    body = path.read_bytes()
    digest = sha256(body).hexdigest()
    media = mimetypes.guess_type(name)[0] or "application/octet-stream"
    whole = f"{media}; charset=utf-8" if media.startswith("text/") else media
    address = "/" if name == "index.html" else f"/{name}"

    @operation(Operation(method="GET", path=address, needs=PUBLIC, tag="page", media=(media,)))
    async def file(request: Call) -> Answer:
        """A file of the first page."""
        headers = [etag(digest), *PAGE_HEADERS]
        if request.unchanged(f'"{digest}"'):
            return Answer(status=304, headers=headers)
        return Answer(body, media=whole, headers=headers)

    return file
