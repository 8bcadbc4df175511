"""`veillee serve`: what is in the way is said in a sentence, with an exit code."""

from veillee.web.server import CANNOT_LISTEN, CANNOT_STORE, address_of, listening, serve


def test_a_port_in_use(tmp_path, capsys):
    with listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert serve("127.0.0.1", port, tmp_path / "data") == CANNOT_LISTEN
    said = capsys.readouterr().err
    assert str(port) in said
    assert "--port" in said
    assert not (tmp_path / "data").exists()


def test_a_host_that_is_not_ours(tmp_path, capsys):
    assert serve("host.invalid", 0, tmp_path / "data") == CANNOT_LISTEN
    assert "host.invalid" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written(tmp_path, capsys):
    (tmp_path / "file").write_text("no folder")
    assert serve("127.0.0.1", 0, tmp_path / "file" / "data") == CANNOT_STORE
    assert "file" in capsys.readouterr().err


def test_the_address_that_is_told():
    with listening("127.0.0.1", 0) as sock:
        assert address_of("127.0.0.1", sock) == f"http://localhost:{sock.getsockname()[1]}/"
        assert address_of("0.0.0.0", sock).startswith("http://localhost:")
        assert address_of("games.example", sock).startswith("http://games.example:")
