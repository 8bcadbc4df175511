"""Health checks: /healthz answers while the process runs, /readyz if it can read its database and its essential threads
work.
"""

from __future__ import annotations

import asyncio

from litestar import MediaType, Response, get

from veillee.house import background
from veillee.house.errors import OUTCOMES, StoreError
from veillee.house.house import House
from veillee.match.errors import VeilleeError
from veillee.web.http.request import AnyRequest
from veillee.web.http.work_pools import HEALTH

DATABASE_TIMEOUT_SECONDS = 5.0


@get("/healthz")
async def healthz() -> Response[str]:
    return plain("ok")


@get("/readyz")
async def readyz(request: AnyRequest) -> Response[str]:
    """Answers 200 if the database answers within 5 s and no essential thread hangs or has ended: whether a load balancer
    should send visitors here.
    """
    house: House = request.app.state.house
    try:
        async with asyncio.timeout(DATABASE_TIMEOUT_SECONDS):
            await HEALTH.run(house.store.ping)
    except (VeilleeError, TimeoutError):
        return plain("the database does not answer", OUTCOMES[StoreError].status)
    if troubles := background.essential_troubles():
        said = ", ".join(f"{name} ({trouble})" for name, trouble in troubles.items())
        return plain(f"a thread does not work: {said}", OUTCOMES[StoreError].status)
    return plain("ok")


def plain(text: str, status: int = 200) -> Response[str]:
    return Response(text, status_code=status, media_type=MediaType.TEXT, headers={"Cache-Control": "no-store"})


ROUTES = [healthz, readyz]
