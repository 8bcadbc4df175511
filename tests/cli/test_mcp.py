"""`veillee mcp`: what it is started with. Whole games are in tests/agents/test_mcp_server.py."""

from __future__ import annotations

import pytest
from mcp.server.mcpserver import MCPServer
from typer.testing import CliRunner

from veillee.cli import app


@pytest.fixture
def started(monkeypatch):
    """Records how the server would have been run."""
    calls = []
    monkeypatch.setattr(MCPServer, "run", lambda self, transport, **how: calls.append((transport, how)))
    monkeypatch.delenv("VEILLEE_TOKEN", raising=False)
    return calls


def test_by_http_to_this_machine_alone(started):
    assert CliRunner().invoke(app, ["mcp"]).exit_code == 0
    assert CliRunner().invoke(app, ["mcp", "--http", "8765"]).exit_code == 0
    assert started == [("stdio", {}), ("streamable-http", {"host": "127.0.0.1", "port": 8765})]


def test_a_house_needs_a_token(started, monkeypatch):
    asked = ["mcp", "--house", "http://127.0.0.1:8000", "--lang", "en"]
    refused = CliRunner().invoke(app, asked)
    assert refused.exit_code == 2
    assert "put a guest’s token into VEILLEE_TOKEN" in refused.output
    monkeypatch.setenv("VEILLEE_TOKEN", "token")
    assert CliRunner().invoke(app, asked).exit_code == 0
    assert started == [("stdio", {})]
