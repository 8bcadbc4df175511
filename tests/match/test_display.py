"""A match in a terminal, in a notebook, in words: one default language, one default number of seats, and never a secret."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pydoc
from io import StringIO

import pytest
from rich.console import Console

import veillee
from veillee.bots.planning import fallback
from veillee.cli.common import room as cli_words
from veillee.cli.common import seats_of
from veillee.house.results.daily_deals import seat_plans
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT
from veillee.lab.env_base import GameSpec
from veillee.match.compact_text import describe_view
from veillee.match.errors import NOT_ASKED


def begun(box: str, answers: int = 12) -> veillee.Match:
    match = veillee.new(box, seed=5)
    for number in range(answers):
        seat = match.to_act[0]
        match.play(seat, fallback(match.box, match.state, seat, number))
    return match


def test_a_notebook_gets_what_is_returned_and_shows_nothing_besides(monkeypatch):
    match, game = begun("takara-island"), GameSpec("takara-island", 2, {})
    undescribed = dataclasses.replace(match.box, describe=None)  # its compact text is its board

    def texts():
        plain = describe_view(undescribed, match.view(), [], "en")
        return match.text(), match._repr_html_(), plain, game.drawn(game.begin(Rng(1)), 0)

    expected, shown = texts(), []
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("rich.jupyter.display", lambda *parts: shown.append(parts))
    assert texts() == expected
    assert shown == []


@pytest.mark.parametrize("box", [box.id for box in veillee.boxes()])
def test_a_match_shows_what_everybody_may_see(box):
    match = begun(box)
    assert repr(match).startswith(f"<Match of {box}, {match.seats} seats, 12 answers, to act: {match.to_act[0]}")
    text, page = match.text(), match._repr_html_()
    assert text
    assert page.startswith("<iframe sandbox ")
    assert page.endswith("</pre></details>")
    for fetched in ("http", "&lt;script", "&lt;link", "src=", "url(", "href=&quot;/", "@import"):
        assert fetched not in page.replace("url(#", ""), fetched
    # Hidden information does not change it: the position is resampled around what a spectator knows.
    twin = match.copy()
    twin.state = match.box.load(_hidden_drawn_anew(match))
    twin.anchor = twin.state.clone()
    assert (twin.text(), twin._repr_html_()) == (text, page)
    shown = Console(file=StringIO(), width=120)
    shown.print(match)
    assert match.box.title["en"] in shown.file.getvalue()
    assert all(match.text(seat) for seat in range(match.seats))


def _hidden_drawn_anew(match):
    from veillee.kernel.chance import Rng

    world = match.state.clone()
    rng = Rng(99)
    rng.orderless = True
    world.determinize(NO_SEAT, rng)
    return world.dump()


def test_a_finished_match_shows_its_scores():
    match = veillee.play("takara-island", bots=["random", "random"], seed=1)
    assert repr(match).endswith("answers, over>")
    assert f"1: {match.scores[0]} · 2: {match.scores[1]}" in match._repr_html_()


def test_sentences_are_in_the_readers_language_unless_another_is_named(monkeypatch):
    match = veillee.new("ghost-knights", 4, seed=7)
    seat = match.to_act[0]
    for lang in ("fr", "en"):
        monkeypatch.setenv("VEILLEE_LANG", lang)
        assert match.question(seat) == match.question(seat, lang)
        assert match.log() == match.log(lang=lang)
        assert match.choices(seat)[0].label() == match.choices(seat)[0].label(lang)
        with pytest.raises(veillee.Forbidden) as refused:
            match.play(seat)
        assert str(refused.value) == refused.value.cite(lang)
        assert refused.value.say() == refused.value.say(lang)


def test_why_not_is_the_rule_and_a_sentence():
    match = veillee.new("ghost-knights", 4, seed=7)
    seat = match.to_act[0]
    refused = next(choice for choice in match.all_choices(seat) if not choice.allowed)
    reason = match.why_not(seat, refused.verb, **refused.args)
    assert reason == refused.rule != ""
    for lang in ("fr", "en"):
        assert reason.say(lang) == refused.why(lang) != ""
    assert repr(reason) == f"<{refused.rule}: {refused.why('en')}>"
    assert match.why_not(seat, "fly").say("en") == "That is no answer to the question asked."
    assert match.why_not(seat, "fly") == NOT_ASKED
    allowed = match.choices(seat)[0]
    assert not match.why_not(seat, allowed.verb, **allowed.args)
    assert match.why_not(seat, allowed.verb, **allowed.args).say() == ""


def test_as_many_sit_down_everywhere_where_nobody_says_otherwise():
    from datetime import date

    for box in veillee.boxes():
        assert box.usual in box.players
        assert veillee.new(box.id, seed=1).seats == box.usual
        assert seats_of(box, None, cli_words("en")) == box.usual
        assert len(seat_plans(box, date(2026, 11, 17))) == box.usual


def test_the_shelf_is_boxes_and_hides_no_package():
    takara = importlib.import_module("veillee.games.takara_island")
    import veillee.games.takara_island as same

    assert same is takara
    assert takara.BOX in veillee.boxes()
    with pytest.warns(DeprecationWarning, match=r"veillee\.boxes\(\)"):
        assert veillee.games() == veillee.boxes()
    assert repr(takara.BOX) == "<takara-island: Takara Island, 2–4>"


def test_help_tells_what_there_is():
    told = pydoc.render_doc(veillee, renderer=pydoc.plaintext)
    for name in veillee.__all__:
        assert name in told
        assert (getattr(veillee, name).__doc__ or "").strip(), name
    for kind in (veillee.Match, veillee.Choice):
        for name in [name for name in vars(kind) if not name.startswith("_")]:
            assert inspect.getdoc(getattr(kind, name)), name
