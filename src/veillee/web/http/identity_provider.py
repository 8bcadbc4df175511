"""Sign-in by OpenID Connect: authorization code flow with PKCE, state and nonce (authlib, the extra `oidc`).

Discovery document and keys are read anew for each sign-in: these are rare, and keys that an issuer has replaced are
known at once. Every request goes through the checked outbound connection.
"""

from __future__ import annotations

import json
import secrets
import time
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from veillee.house.errors import BadRequest, Busy
from veillee.web.http.outbound import Unreachable, exchange, validate_url
from veillee.web.rendering.templates import t

IS_INSTALLED = find_spec("authlib") is not None
SCOPE = "openid"  # an identifier, and nothing else: neither name nor mail address
ALGORITHMS = [
    "RS256",
    "PS256",
    "ES256",
    "Ed25519",
    "EdDSA",
]  # signatures by a key pair: never "none", nor a shared secret
MAX_DOCUMENT_BYTES = 100_000  # of discovery and keys: those of large issuers have some 20 kB
ISSUER_SECONDS = 5.0  # for one exchange
CLOCK_LEEWAY_SECONDS = 60  # between our clock and the issuer's
RETRY_SECONDS = 10.0
LONGEST_SUBJECT = 255  # characters: OpenID Connect Core 2
LONGEST_CODE = 2000  # characters
UNREACHABLE = t("Signing in there does not work just now: please try again later.")
REFUSED = t("You were not signed in: the answer of the other side was not valid. Please try again.")


@dataclass(frozen=True)
class Flow:
    """What one sign-in must say again: kept by the browser in a cookie, as one secret."""

    secret: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    @property
    def nonce(self) -> str:
        return self._derived("nonce")

    @property
    def code_verifier(self) -> str:
        return self._derived("verifier")

    def _derived(self, purpose: str) -> str:
        digest = sha256(f"{purpose} {self.secret}".encode(errors="surrogatepass")).digest()
        return urlsafe_b64encode(digest).rstrip(b"=").decode()


@dataclass(frozen=True)
class IdentityProvider:
    """The issuer that the operator has chosen, and what the house is called there."""

    issuer: str
    client_id: str
    client_secret: str = field(default="", repr=False)
    label: str = ""
    private: bool = False  # it may be in the own network, and reached by plain http

    @property
    def name(self) -> str:
        """Returns what guests know it by."""
        return self.label or urlsplit(self.issuer).hostname or ""

    def authorization_url(self, flow: Flow, state: str, redirect_uri: str) -> str:
        """Returns the address where the person signs in. Raises Busy."""
        from authlib.oauth2.rfc6749.parameters import prepare_grant_uri  # noqa: PLC0415 - an extra
        from authlib.oauth2.rfc7636 import create_s256_code_challenge  # noqa: PLC0415

        there = self._endpoint(self._discover(), "authorization_endpoint")
        challenge = {"code_challenge": create_s256_code_challenge(flow.code_verifier), "code_challenge_method": "S256"}
        return str(
            prepare_grant_uri(
                there,
                self.client_id,
                "code",
                redirect_uri=redirect_uri,
                scope=SCOPE,
                state=state,
                nonce=flow.nonce,
                **challenge,
            )
        )

    def subject_of(self, code: str, flow: Flow, redirect_uri: str) -> str:
        """Exchanges the code for an ID token, verifies it, and returns its subject. Raises BadRequest, Busy."""
        found = self._discover()
        answer = self._redeem(found, code, flow, redirect_uri)
        keys = self._fetch("GET", self._endpoint(found, "jwks_uri"))
        return self._verify(answer, keys, flow.nonce)

    # -- inside -------------------------------------------------------------------------------------------------
    def _discover(self) -> dict[str, Any]:
        from authlib.oidc.discovery import get_well_known_url  # noqa: PLC0415 - an extra

        found = self._fetch("GET", get_well_known_url(self.issuer, external=True))
        if found.get("issuer") != self.issuer:
            raise Busy(UNREACHABLE, RETRY_SECONDS)
        return found

    def _endpoint(self, found: dict[str, Any], name: str) -> str:
        url = found.get(name)
        try:
            return validate_url(url if isinstance(url, str) else "", private=self.private).geturl()
        except BadRequest:
            raise Busy(UNREACHABLE, RETRY_SECONDS) from None

    def _redeem(self, found: dict[str, Any], code: str, flow: Flow, redirect_uri: str) -> dict[str, Any]:
        from authlib.oauth2.auth import ClientAuth  # noqa: PLC0415 - an extra
        from authlib.oauth2.rfc6749.parameters import prepare_token_request  # noqa: PLC0415

        if not 0 < len(code) <= LONGEST_CODE:
            raise BadRequest(REFUSED)
        body = prepare_token_request(
            "authorization_code", redirect_uri=redirect_uri, code=code, code_verifier=flow.code_verifier
        )
        known = found.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        method = "client_secret_basic" if "client_secret_basic" in known else "client_secret_post"
        auth = ClientAuth(self.client_id, self.client_secret, method if self.client_secret else "none")
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        url, headers, body = auth.prepare("POST", self._endpoint(found, "token_endpoint"), headers, body)
        return self._fetch("POST", url, body.encode(), headers)

    def _verify(self, answer: dict[str, Any], keys: dict[str, Any], nonce: str) -> str:
        from authlib.oidc.core import CodeIDToken  # noqa: PLC0415 - an extra
        from joserfc import jwt  # noqa: PLC0415
        from joserfc.errors import JoseError  # noqa: PLC0415
        from joserfc.jwk import KeySet  # noqa: PLC0415

        try:
            token = jwt.decode(str(answer.get("id_token", "")), KeySet.import_key_set(keys), ALGORITHMS)  # type: ignore[arg-type]
            claims = CodeIDToken(
                token.claims,
                token.header,
                options={
                    "iss": {"essential": True, "value": self.issuer},
                    "aud": {"essential": True, "value": self.client_id},
                },
                params={"nonce": nonce, "client_id": self.client_id, "access_token": answer.get("access_token")},
            )
            claims.validate(now=int(time.time()), leeway=CLOCK_LEEWAY_SECONDS)
        except (JoseError, ValueError, TypeError, KeyError, AttributeError):
            raise BadRequest(REFUSED) from None
        subject = claims["sub"]
        if not (isinstance(subject, str) and 0 < len(subject) <= LONGEST_SUBJECT and subject.isprintable()):
            raise BadRequest(REFUSED)
        return subject

    def _fetch(
        self, method: str, url: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """Returns the JSON object of a response. Raises Busy if there is none, BadRequest if the issuer refuses."""
        try:
            status, content = exchange(
                method,
                url,
                body,
                {"Accept": "application/json", **(headers or {})},
                private=self.private,
                max_bytes=MAX_DOCUMENT_BYTES,
                seconds=ISSUER_SECONDS,
            )
            found = json.loads(content) if status == 200 else None
        except (Unreachable, BadRequest, ValueError, RecursionError):
            raise Busy(UNREACHABLE, RETRY_SECONDS) from None
        if method == "POST" and status in (400, 401):  # a code that is used up, or was never given
            raise BadRequest(REFUSED)
        if not isinstance(found, dict):
            raise Busy(UNREACHABLE, RETRY_SECONDS)
        return found
