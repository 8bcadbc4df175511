"""The shell of the house in a page, in a real browser without Python: what it says where a browser or a host lacks something."""

from __future__ import annotations

import gzip
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect

import veillee.page
from veillee.page.build import seal

SHELL = Path(veillee.page.__file__).parent / "shell"
BUNDLES = ("engine.bundle.gz", "house.bundle.gz", "pyodide/pyodide.asm.wasm.gz", "pyodide/python_stdlib.zip.gz")
NEVER = "export const loadPyodide = () => new Promise(() => {});"  # Python that never comes
AT_ONCE = "export const loadPyodide = async () => ({ FS: {}, globals: new Map(), runPython() {} });"
HTML = "<!DOCTYPE html><title>Not found</title>"

INSECURE = """
Object.defineProperty(globalThis, "isSecureContext", {value: false});
Object.defineProperty(Navigator.prototype, "serviceWorker", {value: undefined});
"""

pytestmark = pytest.mark.browser


class Files(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def folder(tmp_path):
    """A built page whose bundles are empty and whose Python never comes."""
    for file in SHELL.iterdir():
        shutil.copyfile(file, tmp_path / file.name)
    for lang in ("", ".fr", ".en"):
        (tmp_path / f"shelf{lang}.html").write_text("<!DOCTYPE html><title>Veillée</title><h1>Veillée</h1>", "utf-8")
    (tmp_path / "pyodide").mkdir()
    (tmp_path / "pyodide/pyodide.mjs").write_text(NEVER)
    for name in BUNDLES:
        (tmp_path / name).write_bytes(gzip.compress(b"\2\0\0\0[]"))
    seal(tmp_path)
    return tmp_path


@pytest.fixture
def opened(chromium, folder):
    """Opens the folder in a window of its own, after a script."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    contexts = []

    def open_page(script="", lang="en-GB"):
        context = chromium.new_context(locale=lang)
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(script)
        page.goto(f"http://127.0.0.1:{server.server_address[1]}/")
        return page

    yield open_page
    for context in contexts:
        context.close()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("script", "lang", "said"),
    [
        ("delete globalThis.WebAssembly", "en-GB", "too old for this page: it lacks WebAssembly"),
        ("delete globalThis.DecompressionStream", "fr-FR", "trop ancien pour cette page : il lui manque"),
        ("Object.defineProperty(Navigator.prototype, 'serviceWorker', {value: undefined})", "en-GB", "needs https"),
        ("Object.defineProperty(Navigator.prototype, 'locks', {value: undefined})", "en-GB", "lacks Web Locks"),
        (
            INSECURE,
            "fr-FR",
            "a besoin de https",
        ),
    ],
)
def test_a_browser_that_lacks_something_is_told_what(opened, script, lang, said):
    page = opened(script, lang)
    expect(page.locator("#said")).to_contain_text(said)
    expect(page.locator("#progress")).to_be_hidden()


@pytest.mark.parametrize("name", ["house.bundle.gz", "engine.bundle.gz"])
@pytest.mark.parametrize("content", [None, b"half", HTML.encode()], ids=["missing", "half", "html"])
def test_a_file_that_is_missing_or_damaged_is_named(opened, folder, name, content):
    (folder / "pyodide/pyodide.mjs").write_text(AT_ONCE)
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    page = opened()
    expect(page.locator("#said")).to_contain_text(f"is missing or damaged ({name.removesuffix('.gz')}")


@pytest.mark.parametrize("name", ["pyodide/pyodide.mjs", "house_worker.js", "files.js", "shell.js", "sentences.js"])
@pytest.mark.parametrize("content", [None, HTML], ids=["missing", "html"])
def test_a_script_that_is_missing_is_named(opened, folder, name, content):
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(content)
    page = opened()
    expect(page.locator("#said")).to_contain_text("is missing or damaged")


def test_a_browser_that_saves_nothing_is_said_and_stays_said(opened, folder):
    denied = "self.indexedDB.open = () => { throw new DOMException('denied', 'SecurityError'); };\n"
    (folder / "storage.js").write_text(denied + (SHELL / "storage.js").read_text("utf-8"), "utf-8")
    page = opened()
    expect(page.locator("#said")).to_contain_text("does not keep your games")
    page.wait_for_timeout(300)  # news of what is being loaded comes meanwhile
    expect(page.locator("#said")).to_contain_text("does not keep your games")
    page.locator("#close").click()
    expect(page.locator("#bar")).to_be_hidden()
