"""A study's result as tables with drawings, in the reader's language."""

from __future__ import annotations

from veillee.web.rendering.study_tables import Span, study_tables, what_differs


def compared(name="seat 1", first=(0.25, 0.2, 0.3), second=(0.35, 0.3, 0.4), difference=(0.1, 0.05, 0.15), **more):
    both = {"fr": name, "en": name}
    row = {"name": both, "first": first, "second": second, "difference": difference}
    return row | {"is_share": True, "is_same": False, "ruling": {"fr": "", "en": ""}} | more


def chapter(*rows, ruling="", title="Who wins"):
    words = {"title": title, "text": "How often."}
    rows = rows or (compared(), compared("seat 2", difference=None, second=None), compared("seat 3", is_same=True))
    rows = [row | {"ruling": {"fr": ruling, "en": ruling}} for row in rows]
    return {"words": {"fr": words, "en": words}, "mark": 0.25, "comparisons": rows}


def told(lang, *rows):
    (table,) = study_tables({"chapters": [{"title": "without comparisons"}, chapter(*rows)]}, lang)
    ((_, found),) = table.parts
    return table, found


def test_figures_are_told_with_their_intervals_in_the_readers_language():
    _, (seat, gone, same) = told("en")
    assert (seat.first, seat.difference) == ("25.0 % (20.0 to 30.0)", "+10.0 points (+5.0 to +15.0)")
    assert (gone.second, gone.difference, gone.remark) == ("–", "–", "on one side alone")
    assert (same.difference, same.remark, same.is_different) == ("–", "the same in every deal", False)
    table, (seat, *_) = told("fr")
    assert (seat.first, seat.difference) == ("25,0\u00a0% (20,0 à 30,0)", "+10,0 points (+5,0 à +15,0)")
    assert what_differs([table]) == [("Who wins", "seat 1", seat.difference)]
    (length,) = told("en", compared(is_share=False, first=(80.25, 79, 81), second=None, difference=None))[1]
    assert length.first == "80.2 (79.0 to 81.0)"


def test_all_rows_of_a_table_are_drawn_on_one_scale():
    table, (seat, gone, _) = told("en")
    assert seat.spans == (Span(53.0, 6.0, 100.0), Span(147.0, 100.0, 194.0))
    assert gone.spans[1] is None
    assert table.mark == 53.0
    (only,) = told("en", compared(first=(0.25, 0.25, 0.25), second=None, difference=None))[1]
    assert only.spans[0] == Span(100.0, 100.0, 100.0), "nothing to scale"


def test_rulings_are_told_apart_and_nothing_differs_by_them():
    (table,) = study_tables({"chapters": [chapter(ruling="Quests: with")]}, "en")
    assert [name for name, _ in table.parts] == ["Quests: with"]
    assert table.is_ruling
    assert what_differs([table]) == []
