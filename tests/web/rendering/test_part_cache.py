"""Part cache: a cached template gets only what it reads, and prints the same as with everything."""

import random
from types import SimpleNamespace

import pytest
from jinja2 import DictLoader, UndefinedError
from markupsafe import Markup

from veillee.games.catalogue import BOXES
from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
from veillee.web.live.stream_state import StreamState
from veillee.web.rendering import part_cache, table_parts
from veillee.web.rendering.table_parts import Audience, ChoiceView, QuestionView, private_parts, public_parts
from veillee.web.rendering.templates import Environment

ANSWERS = 40


@pytest.fixture
def house(tmp_path):
    house = House.open(tmp_path, workers=0)
    yield house
    house.close()


@pytest.fixture
def rendered(monkeypatch):
    """The names of the templates that were really printed, in order."""
    names = []
    render = part_cache.jinja2.Template.render

    def noted(template, *args, **values):
        names.append(template.name)
        return render(template, *args, **values)

    monkeypatch.setattr(part_cache.jinja2.Template, "render", noted)
    return names


def printing(**templates):
    env = Environment(loader=DictLoader(templates), autoescape=True, undefined=part_cache.jinja2.StrictUndefined)
    env.globals["kept"] = part_cache.cache_macro
    return env


@pytest.mark.parametrize("game", list(BOXES))
def test_a_sheet_prints_what_its_template_prints_of_everything(house, monkeypatch, game):
    """With the answers that it places, whether it was kept or not."""
    draw, compared = part_cache.CachedTemplate.draw, set()

    def both(sheet, values, question=None):
        before = set(question.placed) if question is not None else set()
        text = draw(sheet, values, question)
        placed = set(question.placed) if question is not None else set()
        if question is not None:
            question.placed = before
        assert sheet.template.render(values) == text, sheet.template.name
        assert question is None or question.placed == placed, f"{sheet.template.name} places others when it is kept"
        compared.add(sheet.template.name)
        return text

    monkeypatch.setattr(part_cache.CachedTemplate, "draw", both)
    pick, seats = random.Random(game), BOXES[game].players[0]
    guest = house.guests.new("Ada")
    friends = [SeatPlan("hotseat", "<Ben>"), *[SeatPlan("hotseat")] * (seats - 2)]
    table = house.tables.create(guest, game, [SeatPlan("me"), *friends], public=False)
    for n in range(ANSWERS):
        if table.status != "playing":
            break
        seat = pick.choice(table.match.to_act)
        table.answer(guest, seat, table.stamp(seat), [pick.choice(table.match.choices(seat)).id])
        for who in (-1, *range(seats)) if n % 4 == 0 else ():
            public_parts(table.moment, table.match, who, "fr")
            private_parts(table.moment, table.match, Audience(who), "fr")
    assert len(compared) >= 5


def test_a_sheet_is_printed_again_when_something_that_it_reads_is_another(rendered):
    sheet = printing(part="{{ v.shown }} {{ names[0] }}").sheet("part")
    values = {"v": {"shown": 1, "hidden": 2}, "names": ["Ada"], "stamp": "x"}
    assert sheet.draw(values) == "1 Ada"
    assert sheet.draw({**values, "v": {"shown": 1, "hidden": 3}, "stamp": "y"}) == "1 Ada"
    assert rendered == ["part"], "neither is read"
    assert sheet.draw({**values, "v": {"shown": 2, "hidden": 2}}) == "2 Ada"
    assert sheet.draw({**values, "names": ["Ben"]}) == "1 Ben"
    assert sheet.draw(values) == "1 Ada"
    assert rendered == ["part"] * 3


def test_what_is_included_reads_too(rendered):
    env = printing(part='{% include "more" %}', more="{{ v.shown }}{{ me }}")
    assert env.sheet("part").draw({"v": {"shown": 1, "hidden": 2}, "me": 0}) == "10"
    assert env.sheet("part").draw({"v": {"shown": 1, "hidden": 2}, "me": 1}) == "11"
    assert len(rendered) == 2


def test_a_sheet_that_looks_at_the_whole_view_is_given_it_all():
    sheet = printing(part="{% for key in v %}{{ key }} {% endfor %}").sheet("part")
    assert sheet.draw({"v": {"a": 1}}) == "a "
    assert sheet.draw({"v": {"a": 1, "b": 1}}) == "a b "


def test_a_sheet_cannot_print_what_it_is_not_seen_to_read():
    env = printing(
        part='{% from "more" import sly with context %}{{ sly() }}', more="{% macro sly() %}{{ v.hand }}{% endmacro %}"
    )
    with pytest.raises(UndefinedError):
        env.sheet("part").draw({"v": {"hand": 3}})


def test_what_a_kept_sheet_has_placed_is_placed_again(rendered):
    sheet = printing(part="{{ find('dig', site=1).label }}").sheet("part")
    for _ in range(2):
        asked = QuestionView(
            "?", "R-1", {7: ChoiceView(7, "dig", {"site": 1}, "Dig", "", ""), 8: ChoiceView(8, "go", {}, "Go", "", "")}
        )
        assert sheet.draw({"find": asked.find}, asked) == "Dig"
        assert [offer.id for offer in asked.rest] == [8]
    assert rendered == ["part"]
    other = QuestionView("?", "R-1", {7: ChoiceView(7, "dig", {"site": 1}, "Dig deeper", "", "")})
    assert sheet.draw({"find": other.find}, other) == "Dig deeper"


def test_a_piece_does_not_take_text_for_what_is_escaped():
    env = printing(pieces="{% macro say(x) %}{{ x }}{% endmacro %}{% set say = kept(say) %}")
    say = env.get_template("pieces").module.say
    assert say(Markup("<b>")) == "<b>"
    assert say("<b>") == "&lt;b&gt;"


def test_what_cannot_be_told_from_another_is_refused():
    with pytest.raises(TypeError, match="given a object"):
        printing(part="{{ thing }}").sheet("part").draw({"thing": object()})


def test_a_memory_forgets_what_nobody_asks_for_and_keeps_within_its_bytes():
    memory = part_cache.GenerationCache(1000)
    for n in range(100):
        memory.put((n, b""), n, 100)
        assert memory.get((0, b"")) == 0
        assert len(memory.young) + len(memory.old) <= 12
    assert memory.get((1, b"")) is None
    assert memory.get((99, b"")) == 99


def test_those_who_see_the_same_are_sent_the_same_message_drawn_once(house, rendered):
    guest = house.guests.new("Ada")
    table = house.tables.create(guest, "takara-island", [SeatPlan("me"), SeatPlan("hotseat", "Ben")], public=False)
    visit = SimpleNamespace(guest=None, lang="fr", origin="")
    readers = [StreamState("") for _ in range(20)]
    for reader in readers:
        reader.next_update(visit, table.moment, None)
    while len(table.match.answers) < 12:
        (seat,) = table.match.to_act
        table.answer(guest, seat, table.stamp(seat), [table.match.choices(seat)[0].id])
        first, *others = (reader.next_update(visit, table.moment, None) for reader in readers[:2])
        drawn = len(rendered)
        others += [reader.next_update(visit, table.moment, None) for reader in readers[2:]]
        assert all(other is first for other in others)
        assert len(rendered) == drawn


def test_whoever_asks_under_many_names_fills_no_memory(house):
    guest = house.guests.new("Ada")
    table = house.tables.create(guest, "takara-island", [SeatPlan("me"), SeatPlan("hotseat", "Ben")], public=False)
    for n in range(3 * table_parts.MAX_ENTRIES_PER_MOMENT):
        table_parts.parts_of(table.moment, Audience(-1), "fr", None, f"http://{n}")
        StreamState("").next_update(SimpleNamespace(guest=None, lang="fr", origin=""), table.moment, None)
    assert len(table_parts.LATEST.moments[id(table.moment)][1]) <= table_parts.MAX_ENTRIES_PER_MOMENT
