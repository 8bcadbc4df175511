"""Settings of a server: from a TOML file, the environment and flags; the later source wins.

In the file a name is that of the flag with underscores; [limits] holds the fields of `Limits`
(web/http/rate_limits.py). In the environment the same names are in capitals after VEILLEE_ (VEILLEE_PUBLIC_URL,
VEILLEE_LIMITS_GUESTS). Unknown names are an error: a misspelt limit would silently not apply.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints
from urllib.parse import urlsplit

import msgspec

from veillee.games.catalogue import BOXES, find
from veillee.house.errors import BadRequest
from veillee.house.profile import DEFAULT_NAME, Profile
from veillee.house.tables.creation import TABLE_ID
from veillee.web.http.identity_provider import IdentityProvider
from veillee.web.http.outbound import validate_url
from veillee.web.http.rate_limits import Limits
from veillee.web.notifications.transports import TransportSettings
from veillee.web.rendering.templates import t

CONFIG = "VEILLEE_CONFIG"
# Other environment variables of this project, which are no settings.
SETTINGS_ELSEWHERE = (
    "COMPILE",
    "CONFIG",
    "CPP",
    "DOOR",
    "ENGINES",
    "HOME",
    "LANG",
    "LAYOUT",
    "PROFILE",
    "UNITS",
    "WATCHED",
    "WITH",
)
DEFAULT_PORT = 8000
LONGEST_NAME, LONGEST_IMPRINT = 40, 1000  # characters

SmallInt = Annotated[int, msgspec.Meta(ge=0, le=65_535)]  # a port, or a number of processes


@dataclass(frozen=True)
class Settings:
    host: str = "127.0.0.1"
    port: SmallInt = DEFAULT_PORT
    data: str = "data"
    processes: SmallInt = 1  # server processes; more than 1 needs PostgreSQL
    workers: SmallInt | None = None  # bot worker processes; None: number of CPUs minus 1
    public_url: str = ""  # public origin of the site: https://games.example.org
    allowed_hosts: tuple[str, ...] = ()  # further accepted Host names
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")  # proxies whose X-Forwarded-For header is trusted
    metrics_port: SmallInt = 0  # 0: no metrics
    metrics_host: str = "127.0.0.1"
    log: Literal["text", "json"] = "text"
    smtp: str = ""  # mail server: smtp://name:password@host:587, or smtps://
    mail_from: str = ""  # sender address
    apprise: tuple[str, ...] = ()  # Apprise services that guests may use, by URL scheme: ntfys, matrixs, discord
    private_notices: bool = False  # notifications may be sent to private network addresses
    puzzles: bool = True  # collect puzzles from analysed public games
    backup_folder: str = ""  # folder for daily backups; empty: none are written
    backup_days: Annotated[int, msgspec.Meta(ge=1, le=3650)] = 14  # days that a daily backup is kept
    house_name: str = DEFAULT_NAME  # shown on every page instead of Veillée
    imprint: str = ""  # shown at the foot of every page: text, or the address of a page
    boxes: tuple[str, ...] = ()  # ids of the boxes on the shelf; empty: all
    invitation_only: bool = False  # new guests come by invitation only
    house_circle: str = ""  # id of the circle that they belong to then
    oidc_issuer: str = ""  # identity provider where guests may sign in: https://id.example.org
    oidc_client_id: str = ""
    oidc_client_secret_file: str = ""  # file with the secret; empty: a public client
    oidc_label: str = ""  # what guests know the issuer by; empty: its host name
    oidc_private: bool = False  # the issuer may be in the own network, and reached by plain http
    limits: Limits = field(default_factory=Limits)

    @property
    def profile(self) -> Profile:
        """Returns what pages and tables need of it."""
        return Profile(self.house_name, self.imprint, self.boxes, self.invitation_only, self.house_circle)

    @property
    def post(self) -> TransportSettings:
        """Returns the configuration of the notification transports."""
        return TransportSettings(self.smtp, self.mail_from, self.apprise, self.private_notices)

    @property
    def identity_provider(self) -> IdentityProvider | None:
        """Returns where guests may sign in, too; None: nowhere else. Raises BadRequest if the secret cannot be read."""
        if not self.oidc_issuer:
            return None
        secret = _secret(self.oidc_client_secret_file)
        return IdentityProvider(self.oidc_issuer, self.oidc_client_id, secret, self.oidc_label, self.oidc_private)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Returns the accepted Host names: allowed_hosts, and that of public_url."""
        return (*self.allowed_hosts, urlsplit(self.public_url).hostname or "")


NAMES = tuple(one.name for one in fields(Settings) if one.name != "limits")
LIMITS = tuple(one.name for one in fields(Limits))
TYPES = get_type_hints(Settings, include_extras=True)
YES_NO = {"yes": True, "no": False}


def settings(
    flags: Mapping[str, Any] | None = None, file: Path | None = None, environment: Mapping[str, str] = os.environ
) -> Settings:
    """Returns the merged settings of file, environment and flags; a flag that is None was not given. Raises BadRequest,
    which names what is wrong."""
    file = file or (Path(environment[CONFIG]) if environment.get(CONFIG) else None)
    chosen: dict[str, Any] = {}
    limits: dict[str, str] = {}
    for found in (_file(file) if file else {}, _environment(environment)):
        limits |= found.pop("limits", {})
        chosen |= found
    chosen |= {name: value for name, value in (flags or {}).items() if value is not None}
    read = {name: _read(name, value) for name, value in chosen.items()}
    merged = Settings(**read, limits=Limits.parse(limits))
    _check_sign_in(merged)
    return merged


def _file(path: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadRequest(t("{path} cannot be read: {reason}.", path=str(path), reason=reason)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadRequest(t("{path} is no TOML file: {reason}.", path=str(path), reason=str(error))) from None
    limits = found.get("limits", {})
    for name in found:
        _check_known(name, (*NAMES, "limits"), str(path))
    if not isinstance(limits, dict):
        raise BadRequest(t("{name} cannot be {value}.", name="limits", value=repr(limits)))
    for name in limits:
        _check_known(name, LIMITS, f"{path} [limits]")
    return found | {"limits": {name: str(value) for name, value in limits.items()}}


def _environment(environment: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {"limits": {}}
    for variable, value in environment.items():
        name = variable.removeprefix("VEILLEE_")
        if name == variable or name in SETTINGS_ELSEWHERE:
            continue
        short = name.removeprefix("LIMITS_")
        if short != name:
            _check_known(short.lower(), LIMITS, "VEILLEE_LIMITS_")
            found["limits"][short.lower()] = value
        else:
            _check_known(name.lower(), NAMES, "VEILLEE_")
            found[name.lower()] = value
    return found


def _check_known(name: str, names: Collection[str], where: str) -> None:
    if name in names:
        return
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if close:
        raise BadRequest(
            t("There is no setting {name} ({where}): did you mean {close}?", name=name, where=where, close=close[0])
        )
    known = ", ".join(names)
    raise BadRequest(t("There is no setting {name} ({where}): there are {known}.", name=name, where=where, known=known))


def _read(name: str, value: Any) -> Any:
    """Parses and validates one value. Raises BadRequest."""
    wrong = BadRequest(t("{name} cannot be {value}.", name=name, value=repr(value)))
    if TYPES[name] is bool:
        value = YES_NO.get(str(value).lower(), value)
    elif TYPES[name] == tuple[str, ...] and isinstance(value, str):
        value = value.split(",")
    try:
        read = msgspec.convert(value, TYPES[name], strict=False)
    except msgspec.ValidationError:
        raise wrong from None
    if isinstance(read, tuple):
        read = tuple(one.strip() for one in read if one.strip())
    if name == "boxes":
        return tuple(_box(one) for one in read)
    if name == "oidc_label" and not (len(read) <= LONGEST_NAME and (read.isprintable() or not read)):
        raise wrong
    if name == "house_name" and not (read.strip() and read.isprintable() and len(read) <= LONGEST_NAME):
        raise wrong
    if name == "house_circle" and read and not TABLE_ID.fullmatch(read):  # ids of circles look the same
        raise wrong
    if name == "imprint" and len(read) > LONGEST_IMPRINT:
        raise wrong
    if name == "trusted_proxies" and not all(one == "*" or _is_network(one) for one in read):
        raise wrong
    if name == "public_url":
        return _url(read, wrong)
    return _smtp(read) if name == "smtp" else read


def _check_sign_in(found: Settings) -> None:
    """Raises BadRequest for an issuer that could not be used."""
    if bool(found.oidc_issuer) != bool(found.oidc_client_id):
        raise BadRequest(t("Signing in elsewhere needs both oidc_issuer and oidc_client_id."))
    if found.oidc_issuer:
        validate_url(found.oidc_issuer, private=found.oidc_private)
        _secret(found.oidc_client_secret_file)


def _secret(file: str) -> str:
    """Returns the first line of a file. Raises BadRequest."""
    if not file:
        return ""
    try:
        lines = Path(file).read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadRequest(t("{path} cannot be read: {reason}.", path=file, reason=str(error))) from None
    if not (lines and lines[0].strip()):
        raise BadRequest(t("{path} is empty.", path=file))
    return lines[0].strip()


def _box(name: str) -> str:
    """Returns the id of a box, given by its id or its code. Raises BadRequest."""
    box = find(name)
    if box is None:
        raise BadRequest(t("There is no game {name}: there are {known}.", name=name, known=", ".join(BOXES)))
    return box.id


def _url(value: str, wrong: BadRequest) -> str:
    """Parses an address without a path: the server is always at the root of its host."""
    try:
        url = urlsplit(value)
        port = url.port
    except ValueError:
        raise wrong from None
    plain = not (url.path.strip("/") or url.query or url.fragment or url.username)
    if value and not (url.scheme in ("http", "https") and url.hostname and plain and (port is None or port > 0)):
        raise wrong
    return value.rstrip("/")


def _smtp(value: str) -> str:
    """Parses the address of a mail server. The error message leaves the address out, as it may hold a password."""
    wrong = BadRequest(t("{name} is written smtp://name:password@host:587, or smtps://…", name="smtp"))
    try:
        url = urlsplit(value)
        port = url.port
    except ValueError:
        raise wrong from None
    if value and not (url.scheme in ("smtp", "smtps") and url.hostname and (port is None or port > 0)):
        raise wrong
    return value


def _is_network(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True
