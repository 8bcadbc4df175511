"""Owners' files as tables for spreadsheets: nothing is lost on the way, and what is wrong is told with its line."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from veillee.cli import app
from veillee.conformance.contents import files_of
from veillee.games.catalogue import BOXES
from veillee.games.content_table import read_table, to_csv, to_toml
from veillee.games.owners import check, check_table, check_text

REPLACEABLE = [box for box in BOXES.values() if box.contents is not None]
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = TEXTS | st.integers(-(10**9), 10**9) | st.booleans() | st.lists(TEXTS, max_size=3)
EXAMPLES = 12  # of each way to generate them
MOSTLY_REFUSED = ("changed", "spoilt")
HEADER = "table,id,pile,number\r\n"


@pytest.mark.parametrize("box", REPLACEABLE, ids=lambda box: box.id)
def test_the_built_in_file_as_a_table_is_the_same_content(box):
    text = box.contents.built_in()
    data = tomllib.loads(text)
    for separator in ",;\t":
        table = to_csv(data, separator)
        assert read_table("mine.csv", table).data == data
    assert to_csv(read_table("mine.csv", to_csv(data)).data) == to_csv(data)
    by_table, by_text = check_table("mine.csv", to_csv(data)), check_text("mine.toml", text)
    assert by_table.content is not None
    assert by_table.content.id == by_text.content.id
    assert check_text("mine.csv", by_table.content.text).content.id == by_text.content.id, "as workers get it"


@pytest.mark.parametrize(
    ("box", "how"), [(box, how) for box in REPLACEABLE for how in files_of(box) if how not in MOSTLY_REFUSED], ids=str
)
def test_generated_contents_survive_the_way_there_and_back(box, how):
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
    @given(files_of(box)[how])
    def survives(text):
        assume(check_text("mine.toml", text).content is not None)
        data = tomllib.loads(text)
        table = to_csv(data)
        again = read_table("mine.csv", table).data
        assert again == data
        assert to_csv(again) == table
        assert tomllib.loads(to_toml(again)) == data

    survives()


@given(st.dictionaries(st.from_regex(r"[a-z]+", fullmatch=True), VALUES, min_size=1))
def test_any_text_number_and_list_survives(entry):
    data = {"tile": [entry]}
    assert read_table("mine.csv", to_csv(data)).data == data


def test_a_spreadsheet_may_save_it_in_its_own_way(tmp_path):
    data = tomllib.loads(REPLACEABLE[0].contents.built_in())
    for number, (separator, encoding) in enumerate([(";", "utf-8-sig"), ("\t", "utf-16"), (",", "utf-8")]):
        file = tmp_path / f"{number}.CSV"
        file.write_bytes(to_csv(data, separator).encode(encoding))
        assert check(file).content is not None


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (b"", "the first line must name the columns, and one of them is “table”; found ''."),
        (b"id,pile\r\n1,2\r\n", "one of them is “table”; found 'id, pile'."),
        (b"table|id\r\n", "one of them is “table”; found 'table|id'."),
        ((HEADER + "tile,a,b,1,2\r\n").encode(), "line 2: '2' is in a column without a name."),
        ((HEADER + ",a,b,1\r\n").encode(), "line 2: the column “table” is empty."),
        ((HEADER + "tile,a,b,007\r\n").encode(), "line 2: '007' is neither a text nor a number nor a list."),
        (
            (HEADER + 'tile,a,"[""1 coin""",1\r\n').encode(),
            "line 2: '[\"1 coin\"' is neither a text nor a number nor a list.",
        ),
        ((HEADER + 'tile,"a,b,1\r\n').encode(), "this is no CSV table (unexpected end of data)."),
        (b"table,id,id\r\n", "there are two columns “'id'”."),
        (b"table,name,name.fr\r\ntile,a,b\r\n", "line 2: there are two columns “'name'”."),
        ("table,é\r\n".encode("latin-1"), "the text is not UTF-8"),
        (HEADER.encode(), "the file is empty."),
    ],
)
def test_what_is_no_table_is_refused_with_a_sentence(table, told, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_bytes(table)
    checked = check(file)
    assert checked.content is None
    assert told in str(checked.errors[0])
    assert checked.errors[0].say("fr") != checked.errors[0].say("en")


def test_an_error_names_the_line_of_the_table_and_its_column():
    data = tomllib.loads(REPLACEABLE[0].contents.built_in())
    data["tile"][3]["cost"] = "1 sheep"
    data["tile"][5]["colour"] = "red"
    wrong = [str(error) for error in check_table("mine.csv", to_csv(data)).errors]
    assert any(error.startswith("mine.csv, line 6: ") and "cost" in error for error in wrong), wrong
    assert any(error.startswith("mine.csv, line 8: ") and "'colour'" in error for error in wrong), wrong


def test_the_command_writes_tables_and_reads_them(tmp_path):
    run, table, toml = CliRunner(), tmp_path / "mine.csv", tmp_path / "mine.toml"
    assert run.invoke(app, ["content", "tales-of-glory", "--to", str(table)]).exit_code == 0
    told = run.invoke(app, ["content", "tales-of-glory", "--check", str(table), "--lang", "en"])
    assert "mine.csv can be played with" in told.output
    assert run.invoke(app, ["content", "tales-of-glory", "--from", str(table), "--to", str(toml)]).exit_code == 0
    assert check(toml).content.id == check(table).content.id
    for wrong in (["--from", str(table)], ["--from", str(tmp_path / "none.csv"), "--to", str(tmp_path / "x.toml")]):
        assert run.invoke(app, ["content", "tales-of-glory", *wrong]).exit_code != 0
