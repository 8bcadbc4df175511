"""`veillee serve`: obstacles give an error that names them. (Its sentence and exit code: cli/test_commands.py.)"""

import os
import signal
import subprocess
import sys
import urllib.request
from urllib.parse import urlencode

import pytest

from veillee.house.errors import CannotListen, StoreError
from veillee.web.serving.server import address_of, open_socket, serve, wider
from veillee.web.settings import Settings


def test_a_port_in_use(tmp_path):
    with open_socket("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=rf"port {port}: .* --port\."):
            serve(Settings(port=port, data=str(tmp_path / "data")))
    assert not (tmp_path / "data").exists()


def test_a_host_that_is_not_ours(tmp_path):
    with pytest.raises(CannotListen, match=r"host\.invalid"):
        serve(Settings(host="host.invalid", port=0, data=str(tmp_path / "data")))


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreError, match="file"):
        serve(Settings(port=0, data=str(tmp_path / "file" / "data")))


def test_the_address_that_is_told():
    with open_socket("127.0.0.1", 0) as sock:
        assert address_of("127.0.0.1", sock) == f"http://localhost:{sock.getsockname()[1]}/"
        assert address_of("0.0.0.0", sock).startswith("http://localhost:")
        assert address_of("games.example", sock).startswith("http://games.example:")


def test_how_to_let_others_in_names_the_same_tables(tmp_path):
    assert wider(8000, "data").endswith("serve --host 0.0.0.0")
    assert wider(81, tmp_path / "my data").endswith(f"--host 0.0.0.0 --port 81 --data '{tmp_path}/my data'")
    assert wider(0, "postgresql://ada:secret@host/db").endswith("--host 0.0.0.0 --data …")


@pytest.mark.parametrize("word", [signal.SIGINT, signal.SIGTERM])
def test_who_listens_is_told_goodbye(tmp_path, word):
    """Ctrl+C, or a plain kill, with a page open: the stream ends, the house closes, its file alone is whole, and nothing
    is said of errors."""
    command = [sys.executable, "-m", "veillee", "serve", "--port", "0", "--data", str(tmp_path / "data")]
    env = {**os.environ, "VEILLEE_LANG": "en"}
    with subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as house:
        try:
            assert house.stdout is not None
            assert house.stderr is not None
            address = house.stdout.readline().split()[3]
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            opener.addheaders = [("Origin", address.rstrip("/"))]
            with opener.open(f"{address}games/ghost-knights/play", urlencode({}).encode(), timeout=30) as page:
                table = page.url.split("#")[0]
            with opener.open(f"{table}/stream", timeout=30) as stream:
                while not stream.readline().startswith(b"id:"):
                    pass
                house.send_signal(word)
                stream.read()  # to its end
            assert house.wait(20) == 0
            assert house.stderr.read() == ""
            left = {file.name for file in (tmp_path / "data").iterdir()} - {"veillee.sqlite3.lock"}
            assert left == {"veillee.sqlite3"}
        finally:
            house.kill()
