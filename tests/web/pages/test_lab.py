"""The bench of designers: entries changed, drawn and measured, on this machine only."""

from __future__ import annotations

import json
import re
import tomllib
from shutil import rmtree

import pytest
from litestar.testing import TestClient

from veillee.games.catalogue import BOXES
from veillee.games.owners import check
from veillee.house.house import House
from veillee.house.workers.balance_study import StudyFiles
from veillee.web.app import create_app
from veillee.web.pages import lab
from web.rendering.test_study_tables import chapter

GAME = "tales-of-glory"
MINE = {"Sec-Fetch-Site": "same-origin", "Accept-Language": "en"}
PATIENCE = 60.0  # seconds for a study of two games


@pytest.fixture(scope="module")
def kept_house(tmp_path_factory):
    house = House.open(tmp_path_factory.mktemp("data"), workers=0)
    yield house
    house.close()


@pytest.fixture
def house(kept_house):
    """Without designs."""
    rmtree(kept_house.store.folder / "designs", ignore_errors=True)
    return kept_house


def client(house, *, address="127.0.0.1", public_url="", **headers):
    app = create_app(house, public_url=public_url)

    async def from_address(scope, receive, send):
        scope["client"] = (address, 50000)
        await app(scope, receive, send)

    found = TestClient(from_address)
    found.headers.update(MINE | headers)
    return found


@pytest.fixture
def web(house):
    found = client(house)
    assert found.post(f"/lab/{GAME}").url.path == f"/lab/{GAME}"
    return found


@pytest.fixture
def file(house):
    return house.store.folder / "designs" / f"{GAME}.toml"


def cells(text):
    """The fields of the form."""
    return dict(re.findall(r'<input\s+name="(cell\.[^"]+)"\s+value="([^"]*)"', text))


def change(web, number, **changed):
    form = web.get(f"/lab/{GAME}/{number}").text
    fields = cells(form) | {f"cell.{name}": value for name, value in changed.items()}
    return web.post(f"/lab/{GAME}/{number}", data=fields)


def test_every_box_with_content_is_offered_and_started_from_ours(house):
    web = client(house)
    listed = web.get("/lab").text
    for box in BOXES.values():
        assert (f'href="/lab/{box.id}"' in listed) == (box.contents is not None)
        if box.contents is None:
            assert web.get(f"/lab/{box.id}").status_code == 404
            continue
        started = web.post(f"/lab/{box.id}")
        assert started.status_code == 200
        assert "My design" in started.text
        design = check(house.store.folder / "designs" / f"{box.id}.toml").content
        assert design is not None
        ours = tomllib.loads(box.contents.built_in())
        assert {name: ours[name] for name in box.contents.tables} == {
            name: one for name, one in tomllib.loads(design.text).items() if name in box.contents.tables
        }


@pytest.mark.parametrize("game", [box.id for box in BOXES.values() if box.contents is not None])
def test_every_entry_has_a_form_that_saves_what_it_shows_and_a_face(house, game):
    web = client(house)
    web.post(f"/lab/{game}")
    path = house.store.folder / "designs" / f"{game}.toml"
    before = tomllib.loads(path.read_text("utf-8"))
    listed = web.get(f"/lab/{game}").text
    numbers = sorted({int(n) for n in re.findall(rf'href="/lab/{game}/(\d+)"', listed)})
    assert numbers == list(range(1 + sum(len(one) for one in before.values() if isinstance(one, list))))
    for number in [0, 1, numbers[-1] // 2, numbers[-1]]:
        shown = web.get(f"/lab/{game}/{number}").text
        assert ('<svg class="face"' in shown) == (number > 0)
        assert "style=" not in shown
        unescaped = {name: re.sub("&#34;", '"', re.sub("&#39;", "'", cell)) for name, cell in cells(shown).items()}
        assert "Saved." in web.post(f"/lab/{game}/{number}", data=unescaped).text
    assert tomllib.loads(path.read_text("utf-8")) == before


def test_a_changed_tile_is_saved_and_drawn(web, file):
    shown = change(web, 1, en="The Owl & Pot", gain="7 coins")
    assert "Saved." in shown.text
    assert tomllib.loads(file.read_text("utf-8"))["tile"][0]["gain"] == "7 coins"
    assert re.search(r'<text class="heading"[^>]*>The Owl &amp; Pot</text>', shown.text)
    assert re.search(r'<text class="heading"[^>]*>7</text>', shown.text)
    emptied = change(web, 1, gain="")
    assert "gain" not in tomllib.loads(file.read_text("utf-8"))["tile"][0]
    assert not re.search(r'<text class="heading"[^>]*>7</text>', emptied.text)
    change(web, 0, en="Owls")
    assert "<h1>Owls</h1>" in web.get(f"/lab/{GAME}").text


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"cost": "3 onions"}, "field 'cost'"),
        ({"cost": "[1"}, "neither a text nor a number nor a list"),
        ({"pile": "quest"}, "quest"),
    ],
)
def test_what_cannot_be_played_is_told_and_not_saved(web, file, changed, said):
    before = file.read_bytes()
    refused = change(web, 1, **changed)
    assert refused.status_code == 422
    assert "Nothing was saved" in refused.text
    assert said in refused.text.replace("&#39;", "'")
    assert f'value="{next(iter(changed.values()))}"' in refused.text  # still there, to be corrected
    assert file.read_bytes() == before


def test_files_go_out_and_come_back(web, file):
    change(web, 1, gain="7 coins")
    before = tomllib.loads(file.read_text("utf-8"))
    as_toml, as_csv = (web.get(f"/lab/{GAME}/files/{kind}") for kind in ("toml", "csv"))
    assert as_toml.text == file.read_text("utf-8")
    change(web, 1, gain="1 coin")
    for name, raw in (("back.csv", as_csv.content), ("back.toml", as_toml.content)):
        brought = web.post(f"/lab/{GAME}/files/import", files={"file": (name, raw)})
        assert brought.status_code == 200
        assert tomllib.loads(file.read_text("utf-8")) == before
    other = BOXES["sourire-du-dragon"].contents.built_in().encode()
    for raw in (b"", b"\xff", b"x = [", other):
        refused = web.post(f"/lab/{GAME}/files/import", files={"file": ("mine.toml", raw)})
        assert refused.status_code == 422
        assert 'role="alert"' in refused.text
        assert tomllib.loads(file.read_text("utf-8")) == before
    huge = web.post(f"/lab/{GAME}/files/import", files={"file": ("mine.toml", b"a = 1\n" * 100_000)})
    assert huge.status_code == 413
    assert web.post(f"/lab/{GAME}/files/import", data={"file": "x"}).status_code == 422


def test_nowhere_else(house, web):
    others = [client(house, address="192.168.1.7"), client(house, **{"X-Forwarded-For": "127.0.0.1"})]
    for other in [*others, client(house, public_url="https://games.example.org")]:
        for path in ("/lab", f"/lab/{GAME}", f"/lab/{GAME}/1", f"/lab/{GAME}/files/toml"):
            assert other.get(path).status_code == 404
        for path in ("", "/1", "/files/import", "/study/start", "/study/cancel"):
            assert other.post(f"/lab/{GAME}{path}").status_code == 404
        assert "to-lab" not in other.get(f"/games/{GAME}").text
    assert "to-lab" in web.get(f"/games/{GAME}").text
    assert web.post(f"/lab/{GAME}/1", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    for path in ("999", "x", "files/exe"):
        assert web.get(f"/lab/{GAME}/{path}").status_code == 404


def test_the_balance_is_measured(house, web, file, monkeypatch):
    monkeypatch.setattr(lab, "STUDY_GAMES", (1,))
    change(web, 1, gain="7 coins")
    assert web.post(f"/lab/{GAME}/study/start", data={"games": "9000"}).status_code == 422
    running = web.post(f"/lab/{GAME}/study/start", data={"games": "1", "rulings": "1"})
    assert re.search(r"0 of \d games are played", running.text)
    assert web.post(f"/lab/{GAME}/study/start", data={"games": "1"}).status_code == 409
    house.balance_study._process.wait(PATIENCE)
    told = web.get(f"/lab/{GAME}").text
    assert '<th scope="rowgroup" colspan="6" class="ruling">Quests: with</th>' in told
    assert '<svg class="intervals"' in told
    assert "changed since" not in told
    french = web.get(f"/lab/{GAME}", headers={"Accept-Language": "fr"}).text
    for shown, words in ((told, ("The Griffin Inn", "seat 2")), (french, ("L’Auberge du Griffon", "place 2"))):
        assert all(f'<th scope="row">{one}</th>' in shown for one in words)
    change(web, 1, gain="8 coins")
    assert "changed since" in web.get(f"/lab/{GAME}").text


@pytest.mark.parametrize("end", ["cancel", "close"])
def test_a_study_is_cancelled_and_ends_with_the_house(tmp_path, end):
    house = House.open(tmp_path, workers=0)
    web = client(house)
    web.post(f"/lab/{GAME}")
    web.post(f"/lab/{GAME}/study/start", data={"games": "400"})
    process = house.balance_study._process
    assert process.poll() is None
    if end == "cancel":
        told = web.post(f"/lab/{GAME}/study/cancel").text
        assert process.poll() is not None
        assert "Measure the balance" in told
        assert "has failed" not in told
    house.close()
    assert process.poll() is not None


def test_a_study_that_fails_says_why(house, web, file, monkeypatch):
    web.post(f"/lab/{GAME}/study/start", data={"games": "20"})
    house.balance_study._process.terminate()
    house.balance_study._process.wait(PATIENCE)
    assert "The study has failed" in web.get(f"/lab/{GAME}").text


# Texts of the face that reach over its edges, by more than its letters' own margins.
OUTSIDE = """() => {
  const face = document.querySelector(".face").getBoundingClientRect();
  return [...document.querySelectorAll(".face text")].filter(one => {
    const r = one.getBoundingClientRect();
    return r.left < face.left || r.right > face.right || r.top < face.top - 4 || r.bottom > face.bottom + 4;
  }).map(one => one.textContent);
}"""


@pytest.mark.browser
def test_the_bench_is_healthy_and_texts_stay_on_their_faces(room):
    web = client(room.house)
    web.post(f"/lab/{GAME}")
    change(web, 1, fr="L’Auberge " + "du Griffon " * 6 + "W" * 4, bottom="99 coins + 99 potions")
    room.look_at(None, f"/lab/{GAME}/1")
    page = room.page(None, f"/lab/{GAME}/1")
    assert page.locator(".face text").count() > 5
    assert page.evaluate(OUTSIDE) == []
    files = StudyFiles(room.house.store.folder / "designs" / f"{GAME}.toml")
    files.measured.write_bytes(b"")  # before the latest change
    files.result.write_text(
        json.dumps({"chapters": [chapter(), chapter(ruling="Quests: with", title="By ruling"), {"title": "Older"}]})
    )
    for path in ("/lab", f"/lab/{GAME}"):
        room.glance_at(None, path)
