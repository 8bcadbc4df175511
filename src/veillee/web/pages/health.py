"""Health checks: /healthz answers while the process runs, /readyz if it can read its database and its essential threads
work.
"""

from __future__ import annotations

import asyncio
from time import monotonic

from litestar import MediaType, Response, get

from veillee.house import background
from veillee.house.errors import OUTCOMES, StoreError
from veillee.house.storage.store import Store
from veillee.match.errors import VeilleeError
from veillee.web.http.request import AnyRequest
from veillee.web.http.work_pools import HEALTH

DATABASE_TIMEOUT_SECONDS = 5.0
DATABASE_CHECK_SECONDS = 1.0  # how long its result is good for


class DatabaseCheck:
    """Asks whether the database answers: once a second at most, and once at a time, however many want to know."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._checked = -DATABASE_CHECK_SECONDS
        self._result = False
        self._running: asyncio.Task[bool] | None = None

    async def has_answered(self) -> bool:
        """Returns whether the database answered within 5 s, now or within the last second."""
        if monotonic() - self._checked < DATABASE_CHECK_SECONDS:
            return self._result
        if self._running is None or self._running.get_loop() is not asyncio.get_running_loop():
            self._running = asyncio.create_task(self._check())
        return await asyncio.shield(self._running)  # one who gives up does not end it for the others

    async def _check(self) -> bool:
        try:
            async with asyncio.timeout(DATABASE_TIMEOUT_SECONDS):
                await HEALTH.run(self._store.ping)
        except (VeilleeError, TimeoutError):
            self._result = False
        else:
            self._result = True
        finally:
            self._checked, self._running = monotonic(), None
        return self._result


@get("/healthz")
async def healthz() -> Response[str]:
    return plain("ok")


@get("/readyz")
async def readyz(request: AnyRequest) -> Response[str]:
    """Answers 200 if the database answers within 5 s and no essential thread hangs or has ended: whether a load balancer
    should send visitors here.
    """
    check: DatabaseCheck = request.app.state.database_check
    if not await check.has_answered():
        return plain("the database does not answer", OUTCOMES[StoreError].status)
    if troubles := background.essential_troubles():
        said = ", ".join(f"{name} ({trouble})" for name, trouble in troubles.items())
        return plain(f"a thread does not work: {said}", OUTCOMES[StoreError].status)
    return plain("ok")


def plain(text: str, status: int = 200) -> Response[str]:
    return Response(text, status_code=status, media_type=MediaType.TEXT, headers={"Cache-Control": "no-store"})


ROUTES = [healthz, readyz]
