"""A small issuer of OpenID Connect on this machine, with real keys: it answers as it is told, also wrongly."""

from __future__ import annotations

import json
import secrets
import threading
import time
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from authlib.common.encoding import urlsafe_b64encode
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLIENT, SECRET = "veillee", "open sesame"
KEY = RSAKey.generate_key(2048, {"kid": "one"}, private=True)  # of all issuers: to make one takes long
CLAIMS = ("iss", "sub", "aud", "exp", "iat", "nonce")


class Issuer:
    """What it knows: whom it signs in, its key, and the codes that it has given."""

    def __init__(self, url):
        self.url = url
        self.key = KEY
        self.person = "ada-at-the-club"
        self.codes = {}  # what was asked with each
        self.claims = {}  # instead of the right ones; None: left out
        self.sign = self.signed  # how a token is made of header and claims
        self.discovery = {}  # instead of the right ones
        self.redeemed = []  # the forms that were sent to the token endpoint
        self.sends_code_again = ""  # a code that it gave before

    def signed(self, claims):
        return jwt.encode({"alg": "RS256", "kid": "one"}, claims, self.key)

    def metadata(self):
        ways = {name: f"{self.url}/{name}" for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")}
        return {"issuer": self.url, **ways, **self.discovery}

    def authorize(self, query):
        code = self.sends_code_again or secrets.token_urlsafe(8)
        self.codes.setdefault(code, query)
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state'], 'iss': self.url})}"

    def redeem(self, form):
        """The answer of the token endpoint: none for a code that was used, or another verifier."""
        self.redeemed.append(form)
        asked = self.codes.get(form["code"])
        if not asked:
            return None
        self.codes[form["code"]] = None
        challenge = urlsafe_b64encode(sha256(form["code_verifier"].encode()).digest()).decode().rstrip("=")
        if challenge != asked["code_challenge"] or form["redirect_uri"] != asked["redirect_uri"]:
            return None
        now = int(time.time())
        right = (self.url, self.person, CLIENT, now + 300, now, asked["nonce"])
        claims = dict(zip(CLAIMS, right, strict=True)) | self.claims
        token = self.sign({name: value for name, value in claims.items() if value is not None})
        return {"id_token": token, "access_token": "unused", "token_type": "Bearer"}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        issuer = self.server.issuer
        where = urlsplit(self.path)
        if where.path == "/authorization_endpoint":
            query = {name: values[0] for name, values in parse_qs(where.query).items()}
            self.send_response(302)
            self.send_header("Location", issuer.authorize(query))
            self.end_headers()
        elif where.path == "/jwks_uri":
            self.answer(200, KeySet([issuer.key]).as_dict(private=False))
        else:
            assert where.path == "/.well-known/openid-configuration"
            self.answer(200, issuer.metadata())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        form["authorization"] = self.headers.get("Authorization", "")
        found = self.server.issuer.redeem(form)
        self.answer(200 if found else 400, found or {"error": "invalid_grant"})

    def answer(self, status, content):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextmanager
def running_issuer():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.issuer = Issuer(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.issuer
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
