"""What waits for a client: of each kind only the newest, so that a slow one costs nothing."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress

Message = str | Callable[[], bytes]
"""A text, or what makes a block when its turn has come: until then nothing is held but the land."""

CREDIT = 2
"""Blocks that may be on the way to a client that has not said it is ready for more."""

MOST = 256
"""Messages that may wait: a client that asks and never reads has more, and is not worth serving."""


class FullError(Exception):
    """More waits for a client than it will ever read."""


class Mailbox:
    """Messages by kind; a newer one takes the place of an older one that still waits.

    `put` may be called from any thread.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: OrderedDict[Hashable, Message] = OrderedDict()
        self._stirred = asyncio.Event()
        self._full = False
        self.credit = CREDIT

    def put(self, kind: Hashable, message: Message) -> None:
        """Leave a message; it replaces one of its kind."""
        with suppress(RuntimeError):  # the server has ended: nobody reads it any more
            self._loop.call_soon_threadsafe(self._put, kind, message)

    def _put(self, kind: Hashable, message: Message) -> None:
        if len(self._waiting) < MOST:
            self._waiting[kind] = message
        else:
            self._full = True
        self._stirred.set()

    def drop(self, wanted: Callable[[Hashable], bool]) -> None:
        """Throw away the kinds that are wanted no more."""
        for kind in [kind for kind in self._waiting if not wanted(kind)]:
            del self._waiting[kind]

    def ready(self) -> None:
        """The client has taken a block."""
        self.credit = min(self.credit + 1, CREDIT)
        self._stirred.set()

    @property
    def hungry(self) -> bool:
        """Whether a block put now would be sent at once."""
        return self.credit > 0 and not any(map(callable, self._waiting.values()))

    async def next(self) -> str | bytes:
        """Wait for the next message: a text at once, a block when there is credit.

        Raises
        ------
        FullError
        """
        while True:
            if self._full:
                raise FullError
            for kind, message in self._waiting.items():
                if isinstance(message, str):
                    return str(self._waiting.pop(kind))
                if self.credit > 0:
                    del self._waiting[kind]
                    self.credit -= 1
                    return await asyncio.to_thread(message)
            self._stirred.clear()
            await self._stirred.wait()
