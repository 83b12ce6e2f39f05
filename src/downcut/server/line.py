"""The WebSocket under the live line: what is said counts as sent once the client takes it."""

import socket
from asyncio import Transport
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

ON_THE_WAY = 1 << 18
"""Bytes that the system may hold for a client: it would take megabytes, and hide that nobody reads
them."""


class Line(WebSocketsSansIOProtocol):
    """uvicorn's own, which waits before a message for the one before it.

    Here `send` waits for the message itself, so that the next is made when there is room for it;
    and a client that takes nothing is cut off at the end, with all that was on the way to it,
    where closing politely would wait for it.
    """

    def connection_made(self, transport: Any) -> None:
        """Begin, with little room between us and the client."""
        found = cast(Transport, transport).get_extra_info("socket")
        found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ON_THE_WAY)
        super().connection_made(transport)

    async def send(self, message: Any) -> None:
        """Send a message and wait until the socket has room again."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # refused: else uvicorn logs that nobody answered
        await self.writable.wait()

    async def run_asgi(self) -> None:
        """Serve, then close or cut off."""
        await super().run_asgi()
        if not self.writable.is_set():
            self.transport.abort()

    def keepalive_timeout(self) -> None:
        """Cut off who answers no more."""
        super().keepalive_timeout()
        self.transport.abort()
