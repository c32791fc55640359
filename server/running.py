"""The server as uvicorn runs it: the protocol of the stream, and an end that breaks nothing off."""

import math
import socket
from typing import Any

import uvicorn

from server.connections import http_protocol
from server.frames import protocol_class
from server.services import Services

#: Larger messages than so many times the limit of a frame do not even reach the handler, which closes politely.
OVERSIZE = 4


class GracefulServer(uvicorn.Server):
    """Ends in good order: commands under way finish, sockets are told and closed, then comes all the rest."""

    def __init__(self, config: uvicorn.Config, services: Services) -> None:
        super().__init__(config)
        self._services = services

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Before uvicorn cuts connections off, which it does before the app's own shutdown, end them our way."""
        await self._services.drain()
        await super().shutdown(sockets)


def make_server(app: Any, services: Services) -> GracefulServer:
    """The server of an app, where the settings say; `await …serve()` runs it until a signal."""
    settings = services.settings
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=http_protocol(
            settings.connections_max, settings.head_bytes_max, settings.head_s, settings.transfer_stall_s
        ),
        ws=protocol_class(settings.socket_send_buffer_bytes, settings.socket_frames_max),
        ws_max_size=OVERSIZE * settings.frame_bytes_max,
        ws_ping_interval=settings.heartbeat_s,
        ws_ping_timeout=settings.heartbeat_s,
        # Compression would take some 300 KiB of memory a socket, and the same bytes could not go to all.
        ws_per_message_deflate=False,
        lifespan="on",
        # uvicorn would believe X-Forwarded-For of any local peer; limits/address.py believes what is configured.
        proxy_headers=False,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=math.ceil(settings.stop_grace_s),
    )
    return GracefulServer(config, services)
