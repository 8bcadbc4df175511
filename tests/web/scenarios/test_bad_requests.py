"""Bad requests: other sites, broken forms, strangers, old cookies. Nothing changes, and a sentence says why."""

import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import httpx
import pytest

from veillee import verify
from veillee.games.ghost_knights.rules import BLUE, PLAY
from veillee.house.errors import BadRequest, StoreError, t
from veillee.house.notifications import channels
from veillee.house.tables.seats import SeatPlan
from veillee.match import seeds
from veillee.web.http.outbound import validate_url

GAME = "ghost-knights"


@pytest.fixture
def web(served):
    with httpx.Client(base_url=served[0], headers={"Accept-Language": "en"}) as client:
        client.headers["Origin"] = served[0]
        yield client


@pytest.fixture
def seated(served, web):
    """A guest at a table of their own."""
    house = served[1]
    guest = house.guests.new("Ada")
    with patch.object(seeds, "new_seed", lambda: seeds.seed_from(7)):  # a hand with a card that cannot be played
        table = house.tables.create(guest, GAME, [SeatPlan("me"), *[SeatPlan("bot")] * 3], public=False)
    web.cookies.set("guest", guest.token)
    return guest, table


# -- where a request comes from -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": None},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
    ],
)
def test_another_site_cannot_play(web, seated, headers):
    _, table = seated
    before = table.match.answers
    if headers == {"Origin": None}:
        del web.headers["Origin"]
        headers = {}
    data = {"seat": "0", "stamp": table.stamp(0), "a": "0"}
    answer = web.post(f"/t/{table.id}/act", data=data, headers=headers)
    assert answer.status_code == 403
    assert "another site" in answer.text
    assert table.match.answers == before


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "same-origin"}, {}])
def test_our_own_pages_can(web, seated, headers):
    _, table = seated
    before = len(table.match.answers)
    action = table.match.choices(0)[0].id
    data = {"seat": "0", "stamp": table.stamp(0), "a": str(action)}
    assert web.post(f"/t/{table.id}/act", data=data, headers=headers).status_code == 303
    assert len(table.match.answers) > before


@pytest.mark.parametrize("path", ["/", "/games/gk", "/rules/gk", "/me", "/nowhere", "/api/games", "/static/base.css"])
def test_every_answer_is_under_the_strict_policy(web, path):
    policy = web.get(path).headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_a_script_of_another_site_cannot_use_the_api(web, seated):
    _, table = seated
    before = table.match.answers
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        json = {"stamp": table.stamp(0), "answers": [table.match.choices(0)[0].id]}
        assert web.post(f"/api/tables/{table.id}/seats/0/answers", json=json, headers=headers).status_code == 403
    assert table.match.answers == before


# -- things that are not there --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nowhere", 404),
        ("/games/chess", 404),
        ("/rules/chess", 404),
        ("/rules/gk/GK-99.9", 404),
        ("/t/none-none-none", 404),
        ("/t/%00", 404),
        ("/boards/ghost-knights/table.html", 404),
        ("/boards/ghost-knights/..%2Frules.py", 404),
        ("/static/..%2Fapp.py", 404),
        ("/api/tables/none", 404),
        ("/t/none/record.json", 404),
    ],
)
def test_what_is_not_there_is_said(web, path, status):
    answer = web.get(path)
    assert answer.status_code == status
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_an_error_is_a_sentence_in_the_readers_language(web, lang):
    answer = web.get("/nowhere", headers={"Accept-Language": lang})
    assert {"fr": "Il n’y a rien à cette adresse.", "en": "There is nothing at this address."}[lang] in answer.text


# -- hostile forms ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "data",
    [
        {},
        {"seat": "0"},
        {"seat": "0", "a": "0"},
        {"seat": "9", "a": "0"},
        {"seat": "-1", "a": "0"},
        {"seat": "0", "stamp": "x" * 5000, "a": "0"},
        {"seat": "1", "a": "0"},
        {"seat": "0", "a": "9" * 400},
        {"seat": "0", "a.1": "x", "a.2": "1"},
        {"seat": "0", "a": "999"},
    ],
)
def test_a_broken_form_changes_nothing(web, seated, data):
    _, table = seated
    before = table.match.answers
    answer = web.post(f"/t/{table.id}/act", data={"stamp": table.stamp(0)} | data)
    if data.get("stamp") is None and data == {"seat": "0", "a": "0"}:
        return  # that one is in order
    assert answer.status_code in (403, 409, 422)
    assert 'id="part-board"' in answer.text  # the present board, with the sentence
    assert table.match.answers == before


@pytest.mark.parametrize(
    ("lang", "sentence"), [("fr", "Vous n’avez aucune carte bleue en main."), ("en", "You hold no blue card.")]
)
def test_a_refusal_is_read_in_the_language_of_the_page(web, seated, lang, sentence):
    _, table = seated
    data = {"seat": "0", "stamp": table.stamp(0), "a": str(PLAY + BLUE)}
    page = web.post(f"/t/{table.id}/act", data=data, headers={"Accept-Language": lang})
    assert page.status_code == 422
    rule = f'<a class="rule" href="/rules/{GAME}#GK-2.1">GK-2.1</a>'
    assert f"{sentence} {rule}" in " ".join(page.text.split())
    live = web.post(f"/t/{table.id}/act", data=data, headers={"Accept-Language": lang, "X-Live": "1"})
    assert (live.status_code, live.text) == (422, f"{sentence} (GK-2.1)")


@pytest.mark.parametrize("live", [False, True])
def test_a_full_disk_is_said_with_the_present_board(web, seated, live):
    _, table = seated
    before = table.match.answers
    data = {"seat": "0", "stamp": table.stamp(0), "a": str(table.match.choices(0)[0].id)}
    full = StoreError(t("{path} cannot be used: {reason}.", path="x", reason="disk is full"))
    with patch.object(table._repository, "append", side_effect=full):
        answer = web.post(f"/t/{table.id}/act", data=data, headers={"X-Live": "1"} if live else {})
    assert answer.status_code == 503
    assert "cannot read or keep anything just now" in answer.text
    assert "disk is full" not in answer.text, "that is for whoever runs the house"
    assert ('id="part-board"' in answer.text) is not live
    assert table.match.answers == before


def test_a_newcomer_who_is_refused_a_seat_keeps_the_cookie_they_got(served, seated):
    _, table = seated
    for live in ({}, {"X-Live": "1"}):
        data = {"seat": "0", "name": "Eve"}
        answer = httpx.post(f"{served[0]}/t/{table.id}/sit", data=data, headers={"Origin": served[0], **live})
        assert answer.status_code == 409
        assert [c.split("=")[0] for c in answer.headers.get_list("set-cookie")] == ["guest", "browser"]


@pytest.mark.parametrize("path", ["/rules/gk", "/games/gk/measure"])
def test_a_referrer_that_is_no_address_is_none(web, path):
    assert web.get(path, headers={"Referer": "http://["}).status_code == 200


@pytest.mark.parametrize(
    "data",
    [{"a": "|".join(["1"] * 3900)}, {"a.1?": "|".join(["1"] * 3900)}, {f"a.{n}": "1" for n in range(51)}],
    ids=["alternatives", "of one of several", "answers"],
)
def test_more_wishes_than_a_form_has_are_not_tried(web, seated, data):
    _, table = seated
    with patch("veillee.web.pages.table.resolve", side_effect=AssertionError):
        answer = web.post(f"/t/{table.id}/act", data={"seat": "0", "stamp": table.stamp(0)} | data)
    assert answer.status_code == 422
    assert "Nothing was chosen" in answer.text


def test_more_answers_than_a_move_has_are_not_played(served, seated):
    guest, table = seated
    before = table.match.answers
    json = {"stamp": table.stamp(0), "answers": [table.match.choices(0)[0].id] * 51}
    headers = {"Authorization": f"Bearer {guest.token}"}
    answer = httpx.post(f"{served[0]}/api/tables/{table.id}/seats/0/answers", json=json, headers=headers)
    assert (answer.status_code, table.match.answers) == (422, before)


LONG = "x" * 21_000


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/me", {"name": LONG}),
        ("/evening", {"my-name": LONG}),
        (f"/games/{GAME}/tables", {"my-name": LONG, "luck": LONG, "name.1": LONG}),
        ("/t/{table}/sit", {"seat": "1", "name": LONG, "luck": LONG}),
        ("/notices/add", {"kind": "webhook", "address": LONG}),
    ],
)
def test_a_field_is_measured_before_anything_looks_at_it(web, seated, path, fields):
    """A name of 99 kB once took seconds in the event loop."""
    with (
        patch("unicodedata.category", side_effect=AssertionError),
        patch("unicodedata.normalize", side_effect=AssertionError),
    ):
        answer = web.post(path.format(table=seated[1].id), data=fields)
    assert answer.status_code == 413
    assert "That is too much to read." in answer.text


def test_a_long_name_or_luck_of_a_program_is_measured_first(served, seated):
    headers = {"Authorization": f"Bearer {seated[0].token}", "Accept-Language": "en"}
    with (
        httpx.Client(base_url=f"{served[0]}/api", headers=headers) as program,
        patch("unicodedata.normalize", lambda form, text: text if len(text) < 300 else 1 / 0),
    ):
        answers = [program.post("/guests", json={"name": LONG[:3_000]})]
        seats = [{"kind": "me"}, {"kind": "hotseat", "name": LONG[:3_000]}, {"kind": "bot"}, {"kind": "bot"}]
        answers.append(program.post("/tables", json={"game": GAME, "seats": seats}))
    assert [answer.status_code for answer in answers] == [422, 422]
    assert "at most 30 letters" in answers[0].json()["sentence"]


def test_more_seats_than_a_table_has_are_not_planned(served, seated):
    headers = {"Authorization": f"Bearer {seated[0].token}", "Accept-Language": "en"}
    with patch("veillee.web.api.routes.SeatPlan", side_effect=AssertionError):
        answer = httpx.post(
            f"{served[0]}/api/tables", json={"game": GAME, "seats": [{"kind": "me"}] * 21}, headers=headers
        )
    assert (answer.status_code, answer.json()["sentence"]) == (422, "That is too much to read.")


@pytest.mark.parametrize("address", ["https://example.org/\0", "https://exa\nmple.org/", "https://["])
def test_an_address_with_invisible_characters_is_refused(address):
    with pytest.raises(BadRequest):
        validate_url(address)


def test_nothing_of_a_form_holds_what_a_database_cannot_store(web, seated, served):
    """PostgreSQL has no NUL in texts."""
    answer = web.post("/notices/add", data={"kind": "webhook", "address": "https://example.org/\0a"})
    assert answer.status_code == 303
    (channel,) = channels.channels_of(served[1].store, seated[0].id)
    assert channel.address == "https://example.org/a"


def test_too_long_a_request_is_not_read(web, seated):
    _, table = seated
    assert web.post(f"/t/{table.id}/act", data={"a": "1" * 17_000}).status_code == 413


def test_a_double_click_is_one_move(web, seated):
    _, table = seated
    data = {"seat": "0", "stamp": table.stamp(0), "a": str(table.match.choices(0)[0].id)}
    web.post(f"/t/{table.id}/act", data=data)
    after = table.match.answers
    web.post(f"/t/{table.id}/act", data=data)
    assert table.match.answers == after


@pytest.mark.parametrize("token", ["", "x", "é", "' OR 1=1 --", "A" * 4000])
def test_a_cookie_that_is_none_of_ours_is_a_stranger(served, seated, token):
    _, table = seated
    answer = httpx.get(f"{served[0]}/t/{table.id}", headers={"Cookie": f"guest={token}".encode()})
    assert answer.status_code == 200
    assert 'data-me="-1"' in answer.text


def test_a_name_is_shown_as_it_is_and_never_run(web, served):
    guest = served[1].guests.new("<script>x</script>")
    table = served[1].tables.create(guest, GAME, [SeatPlan("me"), *[SeatPlan("bot")] * 3])
    text = web.get(f"/t/{table.id}").text
    assert "<script>x" not in text
    assert "&lt;script&gt;x" in text


@pytest.mark.parametrize("name", ["", "   ", "x" * 31, "\u202e"])
def test_a_name_that_cannot_be_shown_is_refused(web, seated, name):
    answer = web.post("/me", data={"name": name})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize(
    "seats",
    [
        {},
        {0: "me"},
        dict.fromkeys(range(5), "me"),
        {0: "me", 1: "bot:genius", 2: "bot:novice", 3: "bot:novice", 4: "none"},
        {0: "me", 1: "bot:novice", 2: "bot:novice", 3: "none", 4: "none"},
    ],
)
def test_a_table_that_cannot_be_set_is_explained(web, seats):
    answer = web.post(f"/games/{GAME}/tables", data={f"seat.{n}": kind for n, kind in seats.items()})
    assert answer.status_code == 422
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", ""])
def test_the_way_back_stays_in_the_house(web, back):
    assert web.post("/prefs", data={"lang": "en", "back": back}).headers["location"] == "/"


# -- people -------------------------------------------------------------------------------------------------------------
def test_play_now_is_one_click_without_an_account(web):
    answer = web.post(f"/games/{GAME}/play")
    assert answer.status_code == 303
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    page = web.get(answer.headers["location"])
    assert 'data-me="0"' in page.text


def test_a_recovery_link_brings_the_seats_to_another_browser(web, seated, served):
    guest, table = seated
    page = web.post("/me/recovery").text
    link = page.split('id="recovery" readonly value="')[1].split('"')[0]
    with httpx.Client(headers={"Origin": served[0]}) as other:
        assert "data-me" not in other.get(link).text
        assert other.get(f"{served[0]}/t/{table.id}").text.count('data-me="-1"') == 1  # the link alone does nothing
        assert other.post(link).status_code == 303
        assert 'data-me="0"' in other.get(f"{served[0]}/t/{table.id}").text
    assert guest.name == "Ada"


def test_a_device_is_signed_out_here_there_or_everywhere_else(web, seated, served):
    guest, house = seated[0], served[1]
    phone = house.guests.use_recovery_link(house.guests.make_recovery_link(guest), "Firefox, Android")
    page = web.get("/me").text
    assert "Firefox, Android" in page
    there = next(device.id for device in house.guests.devices(guest, guest.token) if not device.is_current)
    assert web.post("/me/sign-out", data={"device": "nonsense"}).status_code == 303
    assert web.post("/me/sign-out", data={"device": there}).status_code == 303
    assert house.guests.find(phone.token) is None
    other = house.guests.use_recovery_link(house.guests.make_recovery_link(guest))
    web.post("/me/recovery")
    assert house.guests.has_recovery(guest)
    web.post("/me/recovery/revoke")
    assert not house.guests.has_recovery(guest)
    web.post("/me/sign-out", data={"device": "elsewhere"})
    assert house.guests.find(other.token) is None
    assert "Ada" in web.get("/me").text
    gone = web.post("/me/sign-out", data={"device": "here"})
    assert [cookie.split("=")[0] for cookie in gone.headers.get_list("set-cookie")] == ["guest", "__Host-guest"]
    assert house.guests.find(guest.token) is None
    assert "Ada" not in web.get("/me").text


def test_a_device_is_called_what_it_says_of_itself(served):
    agents = {
        "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0": "Firefox, Android",
        "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0": "Edge, Windows",
        "python-httpx/0.27": "python-httpx",
        "<script>": "",
    }
    for agent, name in agents.items():
        told = httpx.post(f"{served[0]}/api/guests", json={"name": "Robot"}, headers={"User-Agent": agent}).json()
        guest = served[1].guests.find(told["token"])
        assert [device.name for device in served[1].guests.devices(guest, told["token"])] == [name]


@pytest.mark.parametrize(
    ("asked", "lang"), [("", "fr"), ("de", "fr"), ("en-GB,en;q=0.9", "en"), ("de,en;q=0.5,fr;q=0.9", "fr")]
)
def test_french_unless_the_browser_says_otherwise(served, asked, lang):
    assert f'<html lang="{lang}"' in httpx.get(served[0], headers={"Accept-Language": asked}).text


# -- programs -------------------------------------------------------------------------------------------------------------
def test_a_program_plays_a_whole_game_and_its_record_holds(served):
    with httpx.Client(base_url=f"{served[0]}/api", headers={"Accept-Language": "en"}) as program:
        guest = program.post("/guests", json={"name": "Robot"}).json()
        program.headers["Authorization"] = f"Bearer {guest['token']}"
        bots = [{"kind": "bot", "level": "novice"}] * 3
        table = program.post("/tables", json={"game": GAME, "seats": [{"kind": "me"}, *bots]}).json()
        assert table["mine"] == [0]
        address = f"/tables/{table['id']}"
        early = program.get(f"{address}/record")
        assert early.status_code == 409
        for _ in range(500):
            seat = program.get(f"{address}/seats/0").json()
            allowed = seat["choices"]
            if not allowed:
                break
            told = program.post(
                f"{address}/seats/0/answers", json={"stamp": seat["stamp"], "answers": [allowed[0]["id"]]}
            )
            assert told.status_code == 200, told.text
        assert program.get(address).json()["status"] == "over"
        record = program.get(f"{address}/record").json()
    assert verify(record).holds
    assert record["commitment"] == table["commitment"]


def test_choices_are_the_same_over_http_and_in_python(served, seated):
    """What is refused lies apart, with its reason; who says what was heard is told only what came after."""
    guest, table = seated
    headers = {"Accept-Language": "en", "Authorization": f"Bearer {guest.token}"}
    with httpx.Client(base_url=f"{served[0]}/api/tables/{table.id}/seats/0", headers=headers) as program:
        told = program.get("/turn").json()
        assert told == program.get("").json()
        choices = [choice.plain("en") for choice in table.match.choices(0)]
        assert told["choices"] == choices
        refused = [choice for choice in table.match.all_choices(0) if not choice.allowed]
        assert told["refused"] == [c.plain("en") | {"why": c.why("en"), "rule": c.rule} for c in refused]
        assert told["heard"] == len(told["events"]) > 0
        body = {"stamp": told["stamp"], "answers": [choices[0]["id"]]}
        whole = program.post("/answers", json=body).json()
        after = program.get("", params={"heard": told["heard"]}).json()
        assert after["events"] == whole["events"][told["heard"] :] != []
        assert after["view"] == whole["view"]


def test_a_program_waits_for_its_turn(served):
    """Waits until another seat has answered, at most as long as requested."""
    house = served[1]
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table = house.tables.create(ada, GAME, [SeatPlan("me"), SeatPlan("open"), *[SeatPlan("bot")] * 2], public=False)
    table.sit(bob, 1)
    guests, changed = {0: ada, 1: bob}, threading.Event()
    stop = table.subscribe(changed.set)
    while table.match.to_act[0] not in guests:  # bots think
        changed.wait(1)
        changed.clear()
    first = table.match.to_act[0]
    other = 1 - first
    headers = {"Authorization": f"Bearer {guests[other].token}"}
    with httpx.Client(base_url=f"{served[0]}/api/tables/{table.id}/seats/{other}", headers=headers) as program:
        assert program.get("/turn", params={"wait": 0}).json()["choices"] == []
        with ThreadPoolExecutor() as pool:
            waiting = pool.submit(program.get, "/turn", timeout=60)
            while table.status == "playing" and other not in table.match.to_act:
                if first in table.match.to_act:
                    table.answer(guests[first], first, table.stamp(first), [table.match.choices(first)[0].id])
                else:
                    changed.wait(1)
                    changed.clear()
            assert waiting.result().json()["choices"]
    stop()


def test_a_program_is_told_what_is_wrong(served, seated):
    guest, table = seated
    program = httpx.Client(base_url=f"{served[0]}/api", headers={"Accept-Language": "en"})
    with program:
        address = f"/tables/{table.id}/seats/0"
        assert program.get(address).status_code == 401
        program.headers["Authorization"] = "Bearer nonsense"
        assert program.get(address).status_code == 401
        program.headers["Authorization"] = f"Bearer {guest.token}"
        assert program.get(f"/tables/{table.id}/seats/1").status_code == 403
        assert program.get(f"/tables/{table.id}/seats/77").status_code == 404
        forbidden = next(c for c in table.match.all_choices(0) if not c.allowed)
        told = program.post(f"{address}/answers", json={"stamp": table.stamp(0), "answers": [forbidden.id]})
        assert told.status_code == 422
        assert told.json() == {"sentence": forbidden.why("en"), "rule": forbidden.rule}
        assert program.post(f"{address}/answers", json={"stamp": "old", "answers": [0]}).status_code == 409
        assert program.post(f"{address}/answers", content=b"{").status_code == 400
        assert program.post(f"{address}/answers", json={"stamp": 1}).status_code == 400


@pytest.mark.parametrize(
    ("lang", "sentence"), [("fr", "Vous n’avez aucune carte bleue en main."), ("en", "You hold no blue card.")]
)
def test_a_program_reads_a_refusal_in_its_own_language(served, seated, lang, sentence):
    guest, table = seated
    headers = {"Accept-Language": lang, "Authorization": f"Bearer {guest.token}"}
    answers = {"stamp": table.stamp(0), "answers": [PLAY + BLUE]}
    told = httpx.post(f"{served[0]}/api/tables/{table.id}/seats/0/answers", json=answers, headers=headers)
    assert (told.status_code, told.json()) == (422, {"sentence": sentence, "rule": "GK-2.1"})


def test_a_program_plays_with_what_an_owner_has_brought_to_the_house(served, brought):
    guest = served[1].guests.new("Ada")
    seats = [{"kind": "me"}, {"kind": "hotseat", "name": "Bo"}]
    with httpx.Client(base_url=f"{served[0]}/api", headers={"Authorization": f"Bearer {guest.token}"}) as program:
        program.headers["Accept-Language"] = "en"
        before = program.post("/tables", json={"game": "tales-of-glory", "seats": seats}).json()
        assert (before["content"], "tiles" in before["options"]) == (None, False)
        text = served[1].tables.play_now(guest, "tales-of-glory").box.contents.built_in()
        content = brought(text.replace('en = "Reconstructed', 'en = "My own', 1))
        (tales,) = [game for game in program.get("/games").json() if game["id"] == "tales-of-glory"]
        mine = {"option": "tiles", "id": content.id, "name": "My own tiles (Veillée)"}
        assert tales["contents"] == [mine]
        assert tales["options"]["tiles"] == [content.id, "veillee"]
        for options, told in (({}, mine), ({"tiles": content.id}, mine), ({"tiles": "veillee"}, None)):
            table = program.post("/tables", json={"game": "tales-of-glory", "seats": seats, "options": options}).json()
            assert table["content"] == told
            assert program.get(f"/tables/{table['id']}").json()["content"] == told
        page = httpx.get(f"{served[0]}/games/tales-of-glory", headers={"Accept-Language": "en"}).text
        assert re.search(rf'value="{content.id}"\s+checked', page)
        assert "My own tiles (Veillée)" in page
        other = {"game": "tales-of-glory", "seats": seats, "options": {"tiles": "own-0123456789ab"}}
        refused = program.post("/tables", json=other)
        assert refused.status_code == 422
        assert "own-0123456789ab, which is not at hand" in refused.json()["sentence"]


def test_the_api_is_described(web):
    schema = json.loads(web.get("/api/schema/openapi.json").text)
    assert "/api/tables/{table_id}/seats/{seat}/answers" in schema["paths"]
    assert all(path.startswith("/api") for path in schema["paths"])


def test_the_record_can_be_downloaded_and_checked(web, seated):
    guest, table = seated
    while table.status == "playing":
        table.answer(guest, 0, table.stamp(0), [table.match.choices(0)[0].id])
    answer = web.get(f"/t/{table.id}/record.json")
    assert "attachment" in answer.headers["content-disposition"]
    assert verify(answer.json()).holds
