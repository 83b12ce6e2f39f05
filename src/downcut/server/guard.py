"""The door of the server: who may come in, what a body may weigh, what a page may load.

Any page in the browser can send requests to this machine. So the name it called us by (Host) and
the page it comes from (Origin) must be ours, which no page elsewhere can forge, and whatever
computes or writes needs a token that only the opening link has told.
"""

import asyncio
import ipaddress
import json
import secrets
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

OPEN = ("/api/about", "/api/schema", "/api/presets", "/api/first")
"""What is told without a token: it neither computes nor writes."""

HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data: blob:; "
    "style-src 'self' 'unsafe-inline'; worker-src 'self' blob:; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

SMALL, MOMENT = 1 << 16, 1.0
"""Bytes of a refused body that are still read, and the seconds it may take."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})


class TooLargeError(Exception):
    """A body that is longer than its limit, met while reading it."""


class Guard:
    """Checks every request before the application sees it.

    Parameters
    ----------
    app : the application behind the door
    port : int
        Ours: a Host or Origin that names another is refused.
    host : str
        The address that the server listens on.
    token : str
        What the opening link tells; a request shows it as cookie or as `X-Downcut-Token`.
    body_limit, upload_limit : int
        The longest body [bytes], of requests at large and of `/api/uploads`.
    opens : str
        Where the opening link leads: a page of ours.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        port: int,
        token: str,
        host: str = "127.0.0.1",
        body_limit: int = 4 << 20,
        upload_limit: int = 512 << 20,
        opens: str = "/",
    ) -> None:
        self.app, self.port, self.host, self.token = app, port, host, token
        self.body_limit, self.upload_limit = body_limit, upload_limit
        self.cookie, self.opens = f"downcut-{port}", opens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, turn it away, or hand out the cookie."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal:
            await _refuse(scope, receive, send, *refusal)
        elif scope["type"] == "http" and self._is_opening(scope):
            await self._open(send)
        else:
            await self._pass(scope, headers, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        """Return the status and sentence that a request is turned away with, or None."""
        if not self._is_ours(headers.get("host", "")):
            return 403, "this server answers only to the address that downcut printed"
        origin = headers.get("origin")
        if origin is not None and not self._is_ours_origin(origin):
            return 403, "another page may not use this server"
        if _length(headers) > self._limit(scope):
            return 413, f"the body is longer than {self._limit(scope):,} bytes"
        path = scope["path"]
        needs = scope["type"] == "websocket" or (
            path.startswith("/api/") and not path.startswith(OPEN)
        )
        if needs and not self._knows_token(headers):
            return 401, "open the studio by the link that downcut printed: it carries the key"
        return None

    def _is_ours(self, host: str) -> bool:
        """Tell whether a Host header names us.

        An IP literal cannot be rebound to us by a name server, so 0.0.0.0 takes any of them.
        """
        try:
            parts = urlsplit(f"//{host}")
            name, port = (parts.hostname or "").lower(), parts.port
        except ValueError:
            return False
        shown = f"[{name}]" if ":" in name else name
        if (port or 80) != self.port or parts.username is not None:
            return False
        if shown in LOOPBACK or name == self.host.lower():
            return True
        return self.host in ("0.0.0.0", "::") and _is_address(name)

    def _is_ours_origin(self, origin: str) -> bool:
        scheme, _, place = origin.partition("://")
        return scheme == "http" and self._is_ours(place)

    def _knows_token(self, headers: dict[str, str]) -> bool:
        shown = headers.get("x-downcut-token", "")
        if not shown and "cookie" in headers:
            try:
                cookies = SimpleCookie(headers["cookie"])
            except CookieError:
                return False
            shown = cookies[self.cookie].value if self.cookie in cookies else ""
        return secrets.compare_digest(shown.encode(), self.token.encode())

    def _limit(self, scope: Scope) -> int:
        return self.upload_limit if scope["path"] == "/api/uploads" else self.body_limit

    def _is_opening(self, scope: Scope) -> bool:
        """Tell whether this is the opening link with the right token."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        given = query.get("token", [""])[0]
        right = secrets.compare_digest(given.encode(), self.token.encode())
        return right and scope["method"] == "GET"

    async def _open(self, send: Send) -> None:
        """Keep the token in a cookie and take it out of the address bar."""
        cookie = f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict"
        headers = {"location": self.opens, "set-cookie": cookie, **HEADERS}
        await send({"type": "http.response.start", "status": 303, "headers": _raw(headers)})
        await send({"type": "http.response.body", "body": b""})

    async def _pass(
        self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send
    ) -> None:
        """Let a request through: count its body while it comes, add our headers to the answer."""
        limit, read, begun, refused = self._limit(scope), 0, False, False

        async def counted() -> Message:
            nonlocal read, refused
            message = await receive()
            read += len(message.get("body", b""))
            if read > limit:
                refused = True
                raise TooLargeError
            return message

        async def labelled(message: Message) -> None:
            nonlocal begun
            if refused and not begun:
                return  # whatever the application makes of a body that broke off
            if message["type"] == "http.response.start":
                begun = True
                known = {name for name, _ in message["headers"]}
                extra = [pair for pair in _raw(HEADERS) if pair[0] not in known]
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        with suppress(TooLargeError):
            await self.app(scope, counted, labelled)
        if refused and not begun:
            await _refuse(scope, receive, send, 413, f"the body is longer than {limit:,} bytes")


def _length(headers: dict[str, str]) -> int:
    """Return what a request says of its body's length; nonsense counts as nothing."""
    text = headers.get("content-length", "0")
    return int(text) if text.isdecimal() and len(text) < 19 else 0


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, text: str) -> None:
    """Answer with one sentence; a WebSocket is refused before it is accepted."""
    body = json.dumps({"error": text}).encode()
    headers = {"content-type": "application/json", "connection": "close", **HEADERS}
    if scope["type"] == "websocket":
        await receive()
        if "websocket.http.response" in scope.get("extensions", {}):
            start = {"type": "websocket.http.response.start", "status": status}
            await send({**start, "headers": _raw(headers)})
            await send({"type": "websocket.http.response.body", "body": body})
        else:
            await send({"type": "websocket.close", "code": 1008})
        return
    await _drain(receive)
    await send({"type": "http.response.start", "status": status, "headers": _raw(headers)})
    await send({"type": "http.response.body", "body": body})


async def _drain(receive: Receive) -> None:
    """Read a small body to its end: a line closed with words unread is reset, answer and all."""
    read, more = 0, True
    with suppress(TimeoutError):
        async with asyncio.timeout(MOMENT):
            while more and read < SMALL:
                message = await receive()
                read, more = read + len(message.get("body", b"")), message.get("more_body", False)


def new_token() -> str:
    """Return a key for one run of the server: 256 bits nobody can guess."""
    return secrets.token_urlsafe(32)


def opening_link(host: str, port: int, token: str, fragment: str = "") -> str:
    """Return the address that opens the studio in this machine's browser."""
    name = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    shown = f"[{name}]" if ":" in name else name
    return f"http://{shown}:{port}/?token={token}" + (f"#{fragment}" if fragment else "")
