"""The live line: one WebSocket a page, on which lands grow, rain is watched and droplets fall."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from downcut.errors import DowncutError, shown
from downcut.export.blocks import block
from downcut.export.painting import TINT, tinted
from downcut.server.dropping import way_of
from downcut.server.jobs import Job
from downcut.server.mailbox import FullError, Mailbox
from downcut.server.messages import ask_of, names_of, number_of, size_of, sizes_of
from downcut.server.showing import seen
from downcut.server.studio import Studio, asked_recipe
from downcut.server.watching import Watch
from downcut.terrain import Terrain

PATIENCE = 8.0
"""Seconds in which a client must take a message before the line is cut."""
LONGEST = 1 << 20
"""A message to the server [characters]."""
PROGRESS_EVERY = 0.05


class Live:
    """One page's line: the newest thing asked cancels the one before."""

    def __init__(self, socket: WebSocket, studio: Studio) -> None:
        self.socket, self.studio = socket, studio
        self.box = Mailbox(asyncio.get_running_loop())
        self.job: Job | None = None
        self.watch: Watch | None = None
        self.ask = 0
        self._told = 0.0
        self._actions: dict[str, Callable[[dict[str, Any]], None]] = {
            "ready": lambda _: self.box.ready(),
            "grow": self._grow,
            "watch": self._watch,
            "drop": self._drop,
            "stop": lambda _: self._stop(),
        }
        self._falling: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Serve the line until either side ends it; then whatever it asked for stops."""
        await self.socket.accept()
        self.say("engine", 0, warm=self.studio.warmth.is_warm)
        self.studio.warmth.tell(self._warm)
        tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._write())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.studio.warmth.forget(self._warm)
            self._stop()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self.socket.application_state is WebSocketState.CONNECTED:
                with_code = asyncio.wait_for(self.socket.close(1011), 1)
                await asyncio.gather(with_code, return_exceptions=True)

    async def _read(self) -> None:
        try:
            while True:
                text = await self.socket.receive_text()
                self._hear(text)
        except (WebSocketDisconnect, KeyError):  # KeyError: bytes, where words are expected
            return

    async def _write(self) -> None:
        while True:
            try:
                message = await self.box.next()
                send = self.socket.send_text if isinstance(message, str) else self.socket.send_bytes
                async with asyncio.timeout(PATIENCE):  # wait_for may swallow that we are stopped
                    await send(message)  # type: ignore[arg-type]
            except (FullError, TimeoutError, WebSocketDisconnect, RuntimeError):
                return

    def _hear(self, text: str) -> None:
        """Do what a message asks; whatever is wrong with it is said on the line."""
        asked = 0
        try:
            message = json.loads(text) if len(text) <= LONGEST else None
            if not isinstance(message, dict):
                raise DowncutError("a message is a JSON object of at most a million characters")
            asked = message.get("ask", 0) if isinstance(message.get("ask"), int) else 0
            do = message.get("do")
            action = self._actions.get(do) if isinstance(do, str) else None
            if action is not None:
                action(message)
            elif self.watch is not None and self.watch.obeys(message):
                pass
            else:
                known = ", ".join((*self._actions, "play, pause, next, speed while watching"))
                raise DowncutError(f"do is {shown(do)}: say {known}")
        except (DowncutError, ValueError, RecursionError) as error:
            self.say("error", asked, text=str(error))

    def say(self, what: str, ask: int, **facts: Any) -> None:
        """Put a text on the line; progress replaces older progress, nothing else is lost."""
        kind = (what, ask) if what in ("progress", "frame") else (what, ask, time.monotonic_ns())
        self.box.put(kind, json.dumps({"say": what, "ask": ask, **facts}))

    def show(self, terrain: Terrain, names: list[str], ask: int) -> None:
        """Put layers on the line; each is made into a block when the line is free for it.

        Those of a small land stand before those of a large one: a page shows it meanwhile.
        """
        facts = {"ask": ask, "size": max(terrain.grid.shape), "digest": terrain.recipe.digest}
        terrain = seen(terrain)
        facts["cell_size"] = terrain.grid.cell_size
        for name in names:
            kind = ("block", name, facts["size"])
            if name == TINT:
                self.box.put(kind, lambda: block(TINT, tinted(terrain), **facts))
            elif name in terrain.layers:
                array = terrain[name]
                self.box.put(kind, lambda n=name, a=array: block(n, a, **facts))  # type: ignore[misc]

    def _warm(self) -> None:
        self.say("engine", 0, warm=True)

    # --- what a page can ask for ---

    def _grow(self, message: dict[str, Any]) -> None:
        ask, names = ask_of(message), names_of(message.get("layers", ["elevation"]))
        sizes = sizes_of(message.get("sizes", [None]))
        recipes = [asked_recipe(message.get("recipe"), size) for size in sizes]

        def work(job: Job) -> None:
            for recipe in recipes:
                begun = time.perf_counter()
                terrain = self.studio.land(recipe, job)
                self.show(terrain, names, ask)
                self._say_grown(terrain, ask, time.perf_counter() - begun)

        self._begin("grow", work, ask)

    def _watch(self, message: dict[str, Any]) -> None:
        ask, path = ask_of(message), message.get("path")
        recipe = asked_recipe(message.get("recipe"), size_of(message.get("size")))
        watch = Watch(
            str(path) if path else None, self.studio.desk, number_of(message, "speed", 30)
        )

        def work(job: Job) -> None:
            begun = time.perf_counter()
            terrain = watch.run(self, recipe, job, ask)
            self.studio.lands.keep(terrain)
            self.show(terrain, ["elevation"], ask)
            self._say_grown(terrain, ask, time.perf_counter() - begun)

        self._begin("watch", work, ask)
        self.watch = watch

    def _drop(self, message: dict[str, Any]) -> None:
        ask = ask_of(message)

        async def fall() -> None:
            try:
                self.say("path", ask, points=await asyncio.to_thread(way_of, message, self.studio))
            except DowncutError as error:
                self.say("error", ask, text=str(error))

        if self._falling is None or self._falling.done():  # the others fall on deaf ears
            self._falling = asyncio.create_task(fall())

    def _stop(self) -> None:
        if self.job is not None:
            self.studio.desk.stop(self.job)
        if self.watch is not None:
            self.watch.end()
        self.job, self.watch = None, None

    # --- how it is carried out ---

    def _begin(self, kind: str, work: Callable[[Job], None], ask: int) -> None:
        self._stop()
        self.ask = ask
        self.box.drop(lambda kept: not (isinstance(kept, tuple) and kept[0] in ("block", "frame")))
        self.job = self.studio.desk.take(kind, work, lambda job: self._listen(job, ask))

    def _listen(self, job: Job, ask: int) -> None:
        if job.state == "failed":
            self.say("error", ask, text=job.error)
        elif job.state == "stopped":
            self.say("stopped", ask)
        elif job.state == "running" and time.monotonic() - self._told > PROGRESS_EVERY:
            self._told = time.monotonic()
            facts = {"share": job.share, "op": job.op, "path": job.path, "left": job.seconds_left}
            self.say("progress", ask, **facts)

    def _say_grown(self, terrain: Terrain, ask: int, seconds: float) -> None:
        reports = [{"op": r.op, "seconds": r.seconds, **vars(r.ledger)} for r in terrain.reports]
        self.say(
            "grown",
            ask,
            size=max(terrain.grid.shape),
            shape=list(terrain.grid.shape),
            cell_size=terrain.grid.cell_size,
            digest=terrain.recipe.digest,
            checksum=terrain.checksum,
            layers=list(terrain.layers),
            features={name: len(table) for name, table in terrain.features.items()},
            seconds=seconds,
            reports=reports,
        )
