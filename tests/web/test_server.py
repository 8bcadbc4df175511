"""`veillee serve`: what is in the way is an error that names it. (Its sentence and exit code: cli/test_commands.py.)"""

import pytest

from veillee.tables.errors import CannotListen, StoreError
from veillee.web.server import address_of, listening, serve


def test_a_port_in_use(tmp_path):
    with listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=rf"port {port}: .* --port\."):
            serve("127.0.0.1", port, tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_a_host_that_is_not_ours(tmp_path):
    with pytest.raises(CannotListen, match=r"host\.invalid"):
        serve("host.invalid", 0, tmp_path / "data")


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreError, match="file"):
        serve("127.0.0.1", 0, tmp_path / "file" / "data")


def test_the_address_that_is_told():
    with listening("127.0.0.1", 0) as sock:
        assert address_of("127.0.0.1", sock) == f"http://localhost:{sock.getsockname()[1]}/"
        assert address_of("0.0.0.0", sock).startswith("http://localhost:")
        assert address_of("games.example", sock).startswith("http://games.example:")
