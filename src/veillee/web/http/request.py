"""One request: its guest, language, preferences and house."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from litestar import Request, Response
from litestar.response import Redirect

from veillee.games.box import Box
from veillee.games.catalogue import find
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.names import clean_name
from veillee.house.accounts.shields import shield_or_default
from veillee.house.errors import Banned, NotFound
from veillee.house.house import House
from veillee.house.tables.table import Table
from veillee.web.http.preferences import Preferences, device_of, guest_cookie, guest_token, is_https, read_preferences
from veillee.web.http.public_address import PublicAddress, public_address_of
from veillee.web.http.same_origin import client_key, rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.logs import security
from veillee.web.rendering.templates import html, render, t

AnyRequest = Request[Any, Any, Any]

# Guests need no account: a new guest gets one of these names and may change it.
NEWCOMERS = ("Braise", "Chandelle", "Escarbille", "Étincelle", "Flambeau", "Lanterne", "Luciole", "Tison")


@dataclass(frozen=True)
class Preview:
    """Link preview of a page, as chats show it (web/pages/link_previews.py). `private`: search engines must not index
    it."""

    title: str
    about: str
    picture: str  # path of the image
    private: bool = False


class RequestContext:
    """A request with its guest and preferences. Made by `visit(request)`."""

    def __init__(self, request: AnyRequest, house: House, guest: Guest | None, reader: Preferences) -> None:
        self.request = request
        self.house = house
        self.guest = guest
        self.lang = reader.lang
        self.theme = reader.theme
        self.speed = reader.speed
        self.sound = reader.sound
        self.new_cookie_token = ""  # token of a guest created during this request: goes into the cookie

    @property
    def origin(self) -> str:
        """Returns the origin under which other machines reach the server, as far as it knows."""
        return self.public_address.origin

    @cached_property
    def public_address(self) -> PublicAddress:
        return public_address_of(self.request)

    @property
    def is_secure(self) -> bool:
        return is_https(self.request)

    async def is_still_here(self) -> bool:
        """Returns whether the guest's device is still signed in and the guest is not banned."""
        return await is_still_here(self.request, guest_token(self.request))

    async def get_or_create_guest(self, name: str = "") -> Guest:
        """Returns the guest, creating one (and a cookie) if the visitor has none."""
        if self.guest is None:
            rate_limit(self.request, "guests")
            shown, device = name or secrets.choice(NEWCOMERS), device_of(self.request)
            self.guest = await to_thread(partial(self.house.guests.new, shown, device, chosen=bool(name)))
            self.new_cookie_token = self.guest.token
            security(self.request.scope, "A new guest", guest=self.guest.id)
        return self.guest

    async def get_or_create_named_guest(self, name: str) -> Guest:
        """Returns the guest for sitting down with others: under the name chosen earlier, else under this one. Raises
        BadRequest if the name is refused."""
        if self.guest is None:
            return await self.get_or_create_guest(clean_name(name))
        if not self.guest.has_chosen_name:
            self.guest = await to_thread(self.house.accounts.rename, self.guest, name)
        return self.guest

    @property
    def address(self) -> str:
        """Returns the address to return to: for the response to a form, that of the page with the form."""
        url = self.request.url
        if self.request.method != "GET":
            return url.path.rpartition("/")[0] or "/"
        return url.path + (f"?{url.query}" if url.query else "")

    def page(
        self, name: str, box: Box | None = None, status: int = 200, preview: Preview | None = None, **values: Any
    ) -> Response[str]:
        frame = {
            "theme": self.theme,
            "path": self.address,
            "me": self.guest.name if self.guest else "",
            "shield": shield_or_default(self.guest.shield, self.guest.id) if self.guest else "",
            "news": self.house.engine_upgrade.status,
            "dev": self.request.app.state.dev,
            "preview": preview,
            "origin": self.origin if preview else "",
        }
        return self.set_cookies(html(render(self.lang, name, box, page=frame, **values), status))

    def redirect(self, address: str) -> Response[Any]:
        return self.set_cookies(Redirect(address, status_code=303))

    def set_cookies(self, response: Response[Any]) -> Response[Any]:
        if self.new_cookie_token:
            response.set_cookie(guest_cookie(self.new_cookie_token, secure=self.is_secure))
        return response


async def request_context(request: AnyRequest) -> RequestContext:
    house: House = request.app.state.house
    return RequestContext(request, house, await guest_of(house, guest_token(request)), read_preferences(request))


async def guest_of(house: House, token: str) -> Guest | None:
    """Returns the guest of a token: from the cache, else from the database in a thread. Raises ShownTheDoor."""
    if not token:
        return None
    guest = house.guests.find_cached(token) or await to_thread(house.guests.find, token)
    if guest is not None:
        house.bans.check("guest", guest.id)
    return guest


async def is_still_here(request: AnyRequest, token: str) -> bool:
    """Returns whether the token is still valid and neither its guest nor the client's address is banned."""
    house: House = request.app.state.house
    try:
        house.bans.check("address", client_key(request)[0])
        return await guest_of(house, token) is not None
    except Banned:
        return False


async def table_of(house: House, table_id: str) -> Table:
    """Returns the table of that id: from the cache, else from the database in a thread. Raises NoTable."""
    table = house.tables.find_cached(table_id)
    return await to_thread(house.tables.find, table_id) if table is None else table


def find_box(game: str) -> Box:
    box = find(game)
    if box is None:
        raise NotFound(t("There is no such game on the shelf."))
    return box
