"""What Apprise's plugins connect to is checked at every connection, in the process that sends."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading

import pytest

from veillee.house.workers.json_lines import JsonLinesProcess
from veillee.web.notifications.apprise_sender import refuse_private_connections
from veillee.web.notifications.transports.apprise import SENDER_COMMAND

SECONDS = 60.0


@pytest.mark.parametrize("private", [True, False])
def test_only_an_operator_lets_notices_into_the_own_network(private):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(SECONDS if private else 0.01)
        address = f"json://127.0.0.1:{server.getsockname()[1]}/x"
        got = []

        def receive():
            connection, _ = server.accept()
            with connection:
                got.append(connection.recv(10_000))
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

        receiver = threading.Thread(target=receive if private else lambda: None)
        receiver.start()
        sender = JsonLinesProcess(SENDER_COMMAND)
        try:
            notice = {"address": address, "title": "Turn", "body": "Yours", "private": private}
            assert sender.ask(notice, seconds=SECONDS) is private
        finally:
            sender.close()
            receiver.join()
        assert len(got) == int(private)
        if not private:
            with pytest.raises(TimeoutError):
                server.accept()


@pytest.mark.parametrize(
    "address", [("10.0.0.1", 443), ("9.9.9.9", 22), ("::1", 443, 0, 0), "/run/socket", ("host", 443)]
)
def test_a_connection_to_anything_but_a_public_service_is_refused(address):
    with pytest.raises(PermissionError):
        refuse_private_connections("socket.connect", (None, address))


def test_a_public_service_may_be_connected_to_and_no_program_started():
    refuse_private_connections("socket.connect", (None, ("9.9.9.9", 443)))
    refuse_private_connections("open", ("file", "r", 0))
    with pytest.raises(PermissionError):
        refuse_private_connections("subprocess.Popen", (sys.executable, [], None, None))
    assert subprocess.run([sys.executable, "-c", ""], check=False).returncode == 0, "the hook is in the sender alone"
