"""Closes tables of today's deal, and of a championship that is not over, to guests who have not played the same deal:
looking would tell how it is dealt."""

from __future__ import annotations

from datetime import date

from veillee.house.accounts.guest import Guest
from veillee.house.errors import NotYours
from veillee.house.house import House
from veillee.house.results import daily_deals
from veillee.house.tables.table import Table
from veillee.match.errors import VeilleeError
from veillee.web.http.request import AnyRequest, guest_of, table_of
from veillee.web.http.same_origin import token_of
from veillee.web.http.work_pools import to_thread
from veillee.web.rendering.templates import t

OF_TODAY = t("This is today's deal: play it yourself first, then look at how others have played it.")
IN_CHAMPIONSHIP = t("This table belongs to a championship: everyone may look at it when the championship is over.")


async def check_deal_access(request: AnyRequest) -> None:
    """Refuses a request for a sealed table, on any route that names a table. Raises NotYours."""
    table_id = request.path_params.get("table_id")
    if table_id is None:
        return
    house: House = request.app.state.house
    try:
        table = await table_of(house, table_id)
    except VeilleeError:
        return  # the handler says why
    if table.is_sealed:
        guest = await guest_of(house, token_of(request))
        may_look = guest is not None and (
            bool(table.seats_of(guest)) or await to_thread(has_played, house, table, guest)
        )
        if not may_look:
            raise NotYours(IN_CHAMPIONSHIP if table.moment.row.sealed_until is not None else OF_TODAY)


def has_played(house: House, table: Table, guest: Guest) -> bool:
    """Returns whether the guest has finished the same deal."""
    if table.moment.row.sealed_until is not None:
        return house.championships.may_look(guest, table)
    day = date.fromisoformat(table.moment.row.deal)
    result = daily_deals.load_result(house.store, day, table.box.id, guest.id)
    return result is not None and result.is_over
