"""The shell of the house in a page, in a real browser without Python: what it says where a browser or a host lacks something,
and how it keeps, shares and renews a house, for which a page that counts presses stands in (fake_pyodide/).
"""

from __future__ import annotations

import gzip
import os
import shutil
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle, product
from pathlib import Path

import pytest
from playwright.sync_api import expect

import veillee.page
from helpers import EVERYTHING
from veillee.page.build import seal

SHELL = Path(veillee.page.__file__).parent / "shell"
BUNDLES = ("engine.bundle.gz", "house.bundle.gz", "pyodide/pyodide.asm.wasm.gz", "pyodide/python_stdlib.zip.gz")
NEVER = "export const loadPyodide = () => new Promise(() => {});"  # Python that never comes
FAKE = Path(__file__).parent / "fake_pyodide"
SHELF = '<!DOCTYPE html><title>Veillée</title><h1>Veillée</h1><form method="post" action="./t/1/act"><button id="play">Play</button></form>'
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
        (tmp_path / f"shelf{lang}.html").write_text(SHELF, "utf-8")
    (tmp_path / "pyodide").mkdir()
    (tmp_path / "pyodide/pyodide.mjs").write_text(NEVER)
    (tmp_path / "pyodide/pyodide.asm.mjs").write_text("export default null;")
    for name in BUNDLES:
        (tmp_path / name).write_bytes(gzip.compress(b"\2\0\0\0[]"))
    seal(tmp_path)
    return tmp_path


def use_fake_python(folder, version="", *, slow=False):
    """Lets the page open a house that counts; version: makes it another version of the page; slow: a second later."""
    for file in FAKE.iterdir():
        shutil.copyfile(file, folder / "pyodide" / file.name)
    if slow:
        python = folder / "pyodide/pyodide.mjs"
        python.write_text("await new Promise(done => setTimeout(done, 1000));\n" + python.read_text())
    (folder / "licences.txt").write_text(version)
    shutil.copyfile(SHELL / "sw.js", folder / "sw.js")
    (folder / "files.js").unlink()
    seal(folder)
    later = time.time() + len(version)  # a server tells whole seconds
    os.utime(folder / "sw.js", (later, later))


@pytest.fixture
def opened(chromium, folder):
    """Opens the folder in a window of its own, after a script, or in the context of another one."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    contexts = []

    def open_page(script="", lang="en-GB", context=None):
        if context is None:
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


DAMAGED = [("house.bundle.gz", None), ("engine.bundle.gz", b"half"), ("house.bundle.gz", HTML.encode())]
ALSO_DAMAGED = [("engine.bundle.gz", None), ("house.bundle.gz", b"half"), ("engine.bundle.gz", HTML.encode())]


@pytest.mark.parametrize(("name", "content"), DAMAGED + ALSO_DAMAGED if EVERYTHING else DAMAGED)
def test_a_file_that_is_missing_or_damaged_is_named(opened, folder, name, content):
    use_fake_python(folder)
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    page = opened()
    expect(page.locator("#said")).to_contain_text(f"is missing or damaged ({name.removesuffix('.gz')}")


SCRIPTS = ("pyodide/pyodide.mjs", "house_worker.js", "files.js", "shell.js", "sentences.js")
CONTENTS = (None, HTML)  # missing, and a page that says so


@pytest.mark.parametrize(
    ("name", "content"), list(product(SCRIPTS, CONTENTS) if EVERYTHING else zip(SCRIPTS, cycle(CONTENTS), strict=False))
)
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


def house_of(page):
    return page.frame_locator("#house")


def press_until(page, count):
    """Presses the button of the counting page; it must then say this count."""
    house_of(page).locator("#more").click()
    expect(house_of(page).locator("#count")).to_have_text(str(count))


def wait_for_kept(page, what, enough):
    """Waits until so many files or memories are in the browser's cache."""
    count = f"caches.open(`veillee ${{location.pathname}} {what}`).then(kept => kept.keys()).then(keys => keys.length)"
    until = time.monotonic() + 20
    while page.evaluate(count) < enough:
        assert time.monotonic() < until
        page.wait_for_timeout(50)


def test_what_is_pressed_on_the_static_shelf_is_done_when_the_house_is_there(opened, folder):
    use_fake_python(folder, slow=True)
    page = opened()
    asked = []
    page.context.on("request", lambda request: asked.append(request.url))
    house_of(page).locator("#play").click()
    expect(house_of(page).locator("#count")).to_have_text("1")
    assert page.url.endswith("/#/t/1")
    expect(page.locator("#bar")).to_be_hidden()
    origin = page.evaluate("location.origin")
    assert [url for url in asked if not url.startswith(origin)] == []


def test_an_answer_is_kept_when_all_windows_close_and_offline(opened, folder):
    use_fake_python(folder)
    page = opened()
    context = page.context
    house_of(page).locator("#play").click()
    expect(house_of(page).locator("#count")).to_have_text("1")
    press_until(page, 2)
    files = (folder / "files.js").read_text().count("sha256-")
    wait_for_kept(page, "files", files)
    page.close()
    context.set_offline(True)
    page = opened(context=context)
    house_of(page).locator("#play").click()
    expect(house_of(page).locator("#count")).to_have_text("3")


def test_two_windows_share_one_house_and_the_second_goes_on_alone(opened, folder):
    use_fake_python(folder)
    first = opened()
    house_of(first).locator("#play").click()
    expect(house_of(first).locator("#count")).to_have_text("1")
    second = opened(context=first.context)
    house_of(second).locator("#play").click()
    expect(house_of(second).locator("#count")).to_have_text("2")
    press_until(first, 3)
    first.close()
    press_until(second, 4)


def test_a_new_version_is_offered_and_not_imposed(opened, folder):
    use_fake_python(folder)
    page = opened()
    house_of(page).locator("#play").click()
    expect(house_of(page).locator("#count")).to_have_text("1")
    use_fake_python(folder, "another")
    page.evaluate("navigator.serviceWorker.getRegistration().then(one => one.update())")
    expect(page.locator("#said")).to_contain_text("A new version is ready")
    press_until(page, 2)
    page.locator("#renew").click()
    expect(page.locator("#renew")).to_be_hidden()
    expect(house_of(page).locator("#count")).to_have_text("2")
    assert page.evaluate("fetch('licences.txt').then(one => one.text())") == "another"


def test_the_second_visit_starts_from_the_kept_memory_and_a_spoilt_one_is_forgotten(opened, folder):
    use_fake_python(folder)
    page = opened()
    context = page.context
    expect(house_of(page).locator("#from")).to_have_text("fresh")
    wait_for_kept(page, "memory", 1)
    page.close()
    page = opened(context=context)
    expect(house_of(page).locator("#from")).to_have_text("kept")
    spoil = """caches.open(`veillee ${location.pathname} memory`).then(async kept => {
        const [key] = await kept.keys(), bytes = new Uint8Array(await (await kept.match(key)).arrayBuffer());
        bytes[bytes.length - 2] = 9;
        await kept.put(key, new Response(bytes));
    })"""
    page.evaluate(spoil)
    page.close()
    page = opened(context=context)
    expect(house_of(page).locator("#from")).to_have_text("fresh")
    wait_for_kept(page, "memory", 1)
    tried = "caches.open(`veillee ${location.pathname} memory`).then(kept => kept.keys()).then(([key]) => caches.open(`veillee ${location.pathname} memory`).then(kept => kept.put(`${key.url}&tried=house`, new Response(''))))"
    page.evaluate(tried)  # as after a start that ended in a crash
    page.close()
    page = opened(context=context)
    expect(house_of(page).locator("#from")).to_have_text("fresh")


def test_a_page_reloaded_without_cache_is_served(opened, folder):
    use_fake_python(folder)
    page = opened()
    expect(house_of(page).locator("#real")).to_be_visible()
    page.context.new_cdp_session(page).send("Page.reload", {"ignoreCache": True})
    page.wait_for_timeout(200)
    expect(house_of(page).locator("#real")).to_be_visible()


def test_a_file_of_the_house_is_saved(opened, folder):
    """Of a request for a download, the browser does not ask the service worker."""
    use_fake_python(folder)
    page = opened()
    house_of(page).locator("#play").click()
    expect(house_of(page).locator("#count")).to_have_text("1")
    with page.expect_download() as saved:
        house_of(page).locator("#save").click()
    assert saved.value.suggested_filename == "file"
    assert Path(saved.value.path()).read_text() == "1"
