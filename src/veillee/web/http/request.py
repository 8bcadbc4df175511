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
from veillee.house.accounts.browsers import remember_browser
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.names import clean_name
from veillee.house.accounts.shields import shield_or_default
from veillee.house.errors import Banned, NotFound, NotInvited
from veillee.house.house import House
from veillee.house.tables.table import Table
from veillee.web.http.preferences import (
    BROWSER_COOKIE,
    Preferences,
    cookie,
    device_of,
    guest_cookie,
    guest_token,
    is_https,
    read_preferences,
)
from veillee.web.http.public_address import PublicAddress, public_address_of
from veillee.web.http.same_origin import client_key, rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.logs import security
from veillee.web.rendering.templates import STANDALONE, html, render, t

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


MAX_BROWSER_TOKEN_LENGTH = 100
BY_INVITATION = t("This house is open by invitation only: ask for a link to it, or to a table with a free seat.")


class RequestContext:
    """A request with its guest and preferences. Made by `visit(request)`."""

    def __init__(self, request: AnyRequest, house: House, guest: Guest | None, reader: Preferences) -> None:
        self.request = request
        self.house = house
        self.guest = guest
        self.lang = reader.lang
        self.theme = reader.theme
        self.speed = reader.speed
        self.settings = reader
        self.new_cookie_token = ""  # token of a guest created during this request: goes into the cookie
        self.new_browser_token = ""  # for a browser that has none yet (house/accounts/browsers.py)

    @property
    def origin(self) -> str:
        """Returns the origin under which other machines reach the server, as far as it knows."""
        return self.public_address.origin

    @cached_property
    def public_address(self) -> PublicAddress:
        return public_address_of(self.request)

    @property
    def browser_origin(self) -> str:
        """Returns the origin under which this browser has opened the house, or the operator's public address."""
        url = self.request.url
        known = self.request.app.state.public_url
        return str(known or f"{url.scheme}://{self.request.headers.get('host', '')}").rstrip("/")

    @property
    def is_secure(self) -> bool:
        return is_https(self.request)

    @property
    def is_closed(self) -> bool:
        """Whether the visitor is no guest and cannot become one without an invitation."""
        return self.guest is None and self.house.profile.is_invitation_only

    async def is_still_here(self) -> bool:
        """Returns whether the guest's device is still signed in and the guest is not banned."""
        return await is_still_here(self.request, guest_token(self.request))

    async def get_or_create_guest(self, name: str = "", *, is_invited: bool = False) -> Guest:
        """Returns the guest, creating one (and a cookie) if the visitor has none. Raises NotInvited."""
        if self.guest is None:
            if self.house.profile.is_invitation_only and not is_invited:
                raise NotInvited(BY_INVITATION)
            rate_limit(self.request, "guests")
            shown, device = name or secrets.choice(NEWCOMERS), device_of(self.request)
            self.guest = await to_thread(partial(self.house.guests.new, shown, device, chosen=bool(name)))
            self.new_cookie_token = self.guest.token
            security(self.request.scope, "A new guest", guest=self.guest.id)
        await self.remember_browser()
        return self.guest

    async def remember_browser(self) -> None:
        """Keeps that the guest uses this browser; gives it a cookie for that if it has none."""
        token = self.request.cookies.get(BROWSER_COOKIE, "")[:MAX_BROWSER_TOKEN_LENGTH]
        if not token:
            token = self.new_browser_token = secrets.token_urlsafe(16)
        if self.guest is not None:
            await to_thread(remember_browser, self.house.store, self.guest.id, token)

    async def come_back(self, guest: Guest, how: str) -> None:
        """Signs this browser in as a guest who has proven who they are; guest.token goes into its cookie."""
        self.guest, self.new_cookie_token = guest, guest.token
        security(self.request.scope, f"Came back by {how}", guest=guest.id)
        await self.remember_browser()

    async def get_or_create_named_guest(self, name: str, *, is_invited: bool = False) -> Guest:
        """Returns the guest for sitting down with others: under the name chosen earlier, else under this one. Raises
        BadRequest if the name is refused, NotInvited."""
        if self.guest is None:
            return await self.get_or_create_guest(clean_name(name), is_invited=is_invited)
        if not self.guest.has_chosen_name:
            self.guest = await to_thread(self.house.accounts.rename, self.guest, name)
        await self.remember_browser()
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
            "settings": self.settings,
            "path": self.address,
            "me": self.guest.name if self.guest else "",
            "shield": shield_or_default(self.guest.shield, self.guest.id) if self.guest else "",
            "news": self.house.engine_upgrade.status,
            "dev": self.request.app.state.dev,
            "preview": preview if not STANDALONE.is_on else None,
            "origin": self.origin if preview else "",
            "house": self.house.profile,
            "is_closed": self.is_closed,
        }
        return self.set_cookies(html(render(self.lang, name, box, page=frame, **values), status))

    def redirect(self, address: str) -> Response[Any]:
        return self.set_cookies(Redirect(address, status_code=303))

    def set_cookies(self, response: Response[Any]) -> Response[Any]:
        if self.new_cookie_token:
            response.set_cookie(guest_cookie(self.new_cookie_token, secure=self.is_secure))
        if self.new_browser_token:
            response.set_cookie(cookie(BROWSER_COOKIE, self.new_browser_token, secure=self.is_secure))
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


def find_box_on_shelf(house: House, game: str) -> Box:
    """Returns the box for a new game. Raises NotFound."""
    box = find_box(game)
    if not house.profile.has_box(box.id):
        raise NotFound(t("There is no such game on the shelf."))
    return box


def find_box(game: str) -> Box:
    """Returns an installed box: its rules, pictures and tables are there even if it is not on the shelf. Raises
    NotFound."""
    box = find(game)
    if box is None:
        raise NotFound(t("There is no such game on the shelf."))
    return box
