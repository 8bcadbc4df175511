"""Settings of an operator, and the message for a misspelt one."""

from __future__ import annotations

import socket
import threading
import urllib.request
from dataclasses import replace

import httpx
import pytest
from typer.testing import CliRunner

from veillee.cli import app
from veillee.cli.doctor import _settings
from veillee.house import background
from veillee.house.errors import BadRequest, CannotListen, StoreError, t
from veillee.web.http.rate_limits import Limits, Rate, RateLimiter
from veillee.web.http.traffic import Traffic
from veillee.web.notifications.transports import TransportSettings
from veillee.web.pages import health
from veillee.web.rendering.templates import translator
from veillee.web.serving import server
from veillee.web.serving.connections import Connections
from veillee.web.serving.metrics import PrometheusCollector, start_metrics_server
from veillee.web.settings import Settings, settings

FILE = """
port = 1234
public_url = "https://games.example/"
trusted_proxies = ["10.0.0.0/8"]
[limits]
guests = "5, 1/minute"
streams = 9
"""


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "veillee.toml"
    file.write_text(FILE, encoding="utf-8")
    return file


def test_flags_go_before_the_environment_and_that_before_the_file(file):
    environment = {"VEILLEE_PORT": "2345", "VEILLEE_LIMITS_STREAMS": "8", "VEILLEE_LANG": "fr", "HOME": "x"}
    chosen = settings({"port": 3456, "host": None}, file, environment)
    assert (chosen.port, chosen.public_url, chosen.host) == (3456, "https://games.example", "127.0.0.1")
    assert (chosen.trusted_proxies, chosen.hosts) == (("10.0.0.0/8",), ("games.example",))
    assert (chosen.limits.guests, chosen.limits.streams) == (Rate(5, 1 / 60), 8)
    assert settings({}, None, environment | {"VEILLEE_CONFIG": str(file)}).port == 2345
    assert settings({}, None, {}) == Settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prot = 1", r"no setting prot \(.*veillee\.toml\): did you mean port\?"),
        ("[limits]\nguest = '1, 1/day'", r"no setting guest .*did you mean guests\?"),
        ("[limits]\nxyzzy = 1", "there are guests, tables"),
        ("limits = 7", "limits cannot be 7"),
        ("port = 'http'", "port cannot be 'http'"),
        ("port = true", "port cannot be True"),
        ("host = 7", "host cannot be 7"),
        ("log = 'xml'", "log cannot be 'xml'"),
        ("puzzles = 'some'", "puzzles cannot be 'some'"),
        ("public_url = 'games.example'", "public_url cannot be"),
        ("public_url = 'https://games.example/veillee'", "public_url cannot be"),
        ("public_url = 'https://[x'", "public_url cannot be"),
        ("trusted_proxies = ['caddy']", "trusted_proxies cannot be"),
        ("allowed_hosts = [1]", "allowed_hosts cannot be"),
        ("[limits]\nguests = 'lots'", "lots is no rate"),
        ("port = ", "no TOML file"),
        ("\udcff", "no TOML file"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, said):
    file = tmp_path / "veillee.toml"
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(BadRequest, match=said):
        settings({}, file, {})
    told = CliRunner().invoke(app, ["doctor", "--config", str(file)])
    assert told.exit_code == 2, told.output


@pytest.mark.parametrize("wanted", [True, False])
def test_whoever_runs_the_house_says_whether_it_collects_puzzles(tmp_path, monkeypatch, wanted):
    file = tmp_path / "veillee.toml"
    file.write_text(f"puzzles = {str(wanted).lower()}", encoding="utf-8")
    chosen = settings({}, file, {})
    assert chosen.puzzles is wanted
    assert settings({"puzzles": not wanted}, file, {}).puzzles is not wanted
    assert settings({}, file, {"VEILLEE_PUZZLES": "yes"}).puzzles
    assert any("puzzles = False" in line for line in _settings(chosen, translator("en"))) is not wanted
    at_work = []
    monkeypatch.setattr(server.logs, "set_up", lambda **_: None)
    monkeypatch.setattr(server, "run", lambda *_: at_work.extend(one.name for one in threading.enumerate()))
    server.serve(replace(chosen, port=0, data=str(tmp_path / "data"), workers=0))
    assert ("puzzle-collector" in at_work) is wanted
    assert "puzzle-collector" not in [one.name for one in threading.enumerate()], "it ends with the house"


@pytest.mark.parametrize(
    ("variable", "close"), [("VEILLEE_PUBLIC_ULR", "public_url"), ("VEILLEE_LIMITS_STREEMS", "streams")]
)
def test_a_misspelt_variable_is_named(variable, close):
    with pytest.raises(BadRequest, match=f"did you mean {close}"):
        settings({}, None, {variable: "1"})


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(BadRequest, match=r"none\.toml cannot be read"):
        settings({}, tmp_path / "none.toml", {})


def test_the_doctor_says_what_is_set_and_what_is_unwise(file, monkeypatch):
    told = CliRunner().invoke(app, ["doctor", "--config", str(file), "--lang", "en"]).output
    assert "public_url = https://games.example" in told
    assert "limits.streams = 9" in told
    file.write_text(
        'public_url = "http://x.example"\ntrusted_proxies = "*"\nmetrics_port = 9100\nmetrics_host = "0.0.0.0"\n'
        'private_notices = true\napprise = "ntfys, syslog"',
        encoding="utf-8",
    )
    told = CliRunner().invoke(app, ["doctor", "--config", str(file), "--lang", "en"]).output
    assert "over plain http" in told
    assert "trusted_proxies is *" in told
    assert "metrics can be read from other machines" in told
    assert "addresses of its own network" in told
    assert "act on this machine itself: syslog" in told


# -- is it alive, is it ready, how much is going on ------------------------------------------------------------------------
def test_alive_and_ready(served, monkeypatch):
    url, house = served
    assert httpx.get(f"{url}/healthz").text == "ok"
    assert httpx.get(f"{url}/readyz").text == "ok"

    def broken(*_):
        raise StoreError(t("The house is closed."))

    with monkeypatch.context() as hung:
        hung.setattr(background, "essential_troubles", lambda: {"batch-writer": "hung"})
        answer = httpx.get(f"{url}/readyz")
        assert (answer.status_code, answer.text) == (503, "a thread does not work: batch-writer (hung)")
    monkeypatch.setattr(house.store, "ping", broken)
    monkeypatch.setattr(health, "DATABASE_CHECK_SECONDS", 0.0)
    assert httpx.get(f"{url}/healthz").status_code == 200
    assert httpx.get(f"{url}/readyz").status_code == 503
    assert httpx.get(f"{url}/metrics").status_code == 404, "strangers are told no figures"


def test_what_prometheus_is_told(served):
    _, house = served
    traffic, meter = Traffic(), RateLimiter(Limits())
    traffic.record("GET", "/t/{table_id}", 200, 0.02)
    traffic.record("GET", "/t/{table_id}", 200, 9.0)
    meter.refused_count["tables"] = 3
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        figures = PrometheusCollector(house, traffic, meter, Connections(Limits()))
        with pytest.raises(CannotListen, match=str(port)):
            start_metrics_server(figures, "127.0.0.1", port)
    server = start_metrics_server(figures, "127.0.0.1", port)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        told = answer.read().decode()
    server.shutdown()
    server.server_close()
    assert 'veillee_requests_total{address="/t/{table_id}",method="GET",status="200"} 2.0' in told
    assert 'veillee_request_seconds_bucket{le="0.025"} 1.0' in told
    assert 'veillee_request_seconds_bucket{le="+Inf"} 2.0' in told
    assert 'veillee_turned_away_total{limit="tables"} 3.0' in told
    assert "veillee_streams 0.0" in told


def test_what_carries_notices_is_set_and_its_password_is_not_told():
    secret = "smtps://house:hunter2@mail.example.org"
    found = settings(
        {}, None, {"VEILLEE_SMTP": secret, "VEILLEE_APPRISE": "ntfys, discord", "VEILLEE_MAIL_FROM": "a@b.c"}
    )
    assert found.post == TransportSettings(secret, "a@b.c", ("ntfys", "discord"))
    for bad in ("https://house:hunter2@mail.example.org", "smtp://:99999999", "hunter2"):
        with pytest.raises(BadRequest) as refused:
            settings({}, None, {"VEILLEE_SMTP": bad})
        assert "hunter2" not in str(refused.value)
    with pytest.raises(BadRequest):
        settings({}, None, {"VEILLEE_PRIVATE_NOTICES": "perhaps"})
    told = list(_settings(found, translator("en")))
    assert any("mail.example.org" in line for line in told)
    assert not any("hunter2" in line for line in told)
