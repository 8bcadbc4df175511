"""The bench of designers: entries of a replaceable content are changed in a form, drawn, and measured.

A design is one owner's file a box, in the folder `designs` of the house's data. It is for the one at this machine only: a
house with a public address, or with a database of its own, has no such page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.games.owners import MOST_BYTES
from veillee.house.errors import BadRequest, NotFound, outcome
from veillee.house.house import House
from veillee.match.content_design import Design, Entry, import_design, load_design, start_design
from veillee.match.errors import BadContent, VeilleeError
from veillee.web.http.forms import Fields, field, parse_number, read_form
from veillee.web.http.request import AnyRequest, RequestContext, request_context
from veillee.web.http.this_machine import check_this_machine, is_this_machine
from veillee.web.http.work_pools import to_thread
from veillee.web.rendering.face_pictures import draw_face
from veillee.web.rendering.study_tables import study_tables, what_differs
from veillee.web.rendering.templates import STANDALONE, t
from veillee.words import LANGUAGES

FOLDER = "designs"
STUDY_GAMES = (20, 100, 400)  # for each side, as the form offers them
CELL = "cell."  # before the columns in the form's field names
COLUMN = re.compile(r"[\w.-]{1,80}")
FORM_BYTES = 20_000  # of an upload, besides the file
MEDIA_TYPES = {"toml": "application/toml", "csv": "text/csv; charset=utf-8"}


def has_lab(request: AnyRequest, box: Box) -> bool:
    """Returns whether this visitor may design for that box."""
    state = request.app.state
    is_private = not STANDALONE.is_on and not state.public_url and state.house.store.folder is not None
    return is_private and box.contents is not None and is_this_machine(request)


async def open_lab(request: AnyRequest) -> RequestContext:
    """Returns the context of a request for these pages. Raises NotFoundException."""
    check_this_machine(request)
    v = await request_context(request)
    if request.app.state.public_url or v.house.store.folder is None:
        raise NotFoundException
    return v


def design_path(house: House, game: str) -> tuple[Box, Path]:
    """Returns a box whose content can be replaced, and the file of its design. Raises NotFound."""
    box, folder = BOXES.get(game), house.store.folder
    if box is None or box.contents is None or folder is None:
        raise NotFound(t("There is nothing at this address."))
    return box, folder / FOLDER / f"{box.id}.toml"


def load(house: House, game: str) -> Design:
    """Returns the design of a box. Raises NotFound, BadContent."""
    box, path = design_path(house, game)
    if not path.exists():
        raise NotFound(t("There is no design of this box yet."))
    return load_design(box, path)


def find_entry(design: Design, number: str) -> Entry:
    """Raises NotFound."""
    place = parse_number(number)
    if place is None or place >= len(design.entries):
        raise NotFound(t("There is nothing at this address."))
    return design.entries[place]


# -- pages ----------------------------------------------------------------------------------------------------------------
@get("/lab")
async def show_lab(request: AnyRequest) -> Response[str]:
    """Lists the boxes with replaceable content, and their sets."""
    v = await open_lab(request)

    def build() -> Response[str]:
        boxes = [(box, box.contents.offered, design_path(v.house, box.id)[1].exists()) for box in designable()]
        return v.page("lab.html", boxes=boxes)

    return await to_thread(build)


def designable() -> list[Any]:
    return [box for box in BOXES.values() if box.contents is not None]


@get("/lab/{game:str}")
async def show_design(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    v = await open_lab(request)
    return await to_thread(_design_page, v, game)


@get("/lab/{game:str}/{number:str}")
async def show_entry(request: AnyRequest, game: FromPath[str], number: FromPath[str]) -> Response[str]:
    v = await open_lab(request)

    def build() -> Response[str]:
        design = load(v.house, game)
        return _entry_page(v, design, find_entry(design, number), is_saved="saved" in request.query_params)

    return await to_thread(build)


def _design_page(v: RequestContext, game: str, error: VeilleeError | None = None) -> Response[str]:
    """Renders the entries, the files and the study. A file that was changed elsewhere and is wrong can be replaced."""
    box, path = design_path(v.house, game)
    design = None
    study = v.house.balance_study.progress(path)
    tables = study_tables(study.result or {}, v.lang)
    if path.exists():
        try:
            design = load_design(box, path)
        except BadContent as wrong:
            error = error or wrong
    return v.page(
        "lab_design.html",
        box,
        outcome(error).status if error else 200,
        design=design,
        is_there=path.exists(),
        study=study,
        tables=tables,
        differs=what_differs(tables),
        study_games=STUDY_GAMES,
        oops=error.say(v.lang).split("\n") if error else [],
    )


def _entry_page(
    v: RequestContext,
    design: Design,
    entry: Entry,
    *,
    is_saved: bool = False,
    typed: list[tuple[str, str]] | None = None,
    error: VeilleeError | None = None,
) -> Response[str]:
    """Renders the form and the face of an entry. `typed`: cells that were refused."""
    found = design.face(entry, design.box.words(v.lang))
    return v.page(
        "lab_entry.html",
        design.box,
        outcome(error).status if error else 200,
        design=design,
        entry=entry,
        last=len(design.entries) - 1,
        cells=design.cells(entry) | dict(typed or ()),
        prefix=CELL,
        face=draw_face(design.box, *found, entry.name(v.lang)) if found else "",
        is_saved=is_saved,
        oops=error.say(v.lang).split("\n") if error else [],
    )


# -- changes --------------------------------------------------------------------------------------------------------------
@post("/lab/{game:str}", status_code=200)
async def begin(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """Starts a design from the built-in set."""
    v = await open_lab(request)
    box, path = design_path(v.house, game)
    names = {lang: t("My design").say(lang) for lang in LANGUAGES}
    return await _change(v, game, partial(start_design, box, path, names))


@post("/lab/{game:str}/{number:str}", status_code=200)
async def change(request: AnyRequest, game: FromPath[str], number: FromPath[str]) -> Response[Any]:
    """Saves an entry. What is refused stays in the form, beside the reasons."""
    v = await open_lab(request)
    cells = read_cells(await read_form(request))

    def build() -> Response[Any]:
        design = load(v.house, game)
        entry = find_entry(design, number)
        try:
            design.change(entry, cells)
        except BadContent as error:
            return _entry_page(v, design, entry, typed=cells, error=error)
        return v.redirect(f"/lab/{game}/{entry.number}?saved=1")

    return await to_thread(build)


def read_cells(fields: Fields) -> list[tuple[str, str]]:
    """Returns the columns and cells of the form, with that of another field. Raises BadRequest."""
    cells = [(name.removeprefix(CELL), value) for name, value in fields if name.startswith(CELL)]
    if other := field(fields, "other").strip():
        cells.append((other, field(fields, "other-cell")))
    if not all(COLUMN.fullmatch(name) for name, _ in cells):
        raise BadRequest(t("A field has a name of letters and digits."))
    return cells


@post("/lab/{game:str}/files/import", status_code=200, request_max_body_size=MOST_BYTES + FORM_BYTES)
async def upload(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """Replaces the design by a file, TOML or CSV."""
    v = await open_lab(request)
    box, path = design_path(v.house, game)
    file = (await request.form()).get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        error = BadRequest(t("Choose a file first."))
        return await to_thread(_design_page, v, game, error)
    name, raw = Path(file.filename).name[:80], await file.read()
    return await _change(v, game, partial(import_design, box, path, name, raw))


@get("/lab/{game:str}/files/{kind:str}")
async def download(request: AnyRequest, game: FromPath[str], kind: FromPath[str]) -> Response[bytes]:
    v = await open_lab(request)
    if kind not in MEDIA_TYPES:
        raise NotFound(t("There is nothing at this address."))
    design = await to_thread(load, v.house, game)
    text = design.to_csv() if kind == "csv" else design.content.text
    headers = {"Content-Disposition": f'attachment; filename="{design.box.id}.{kind}"', "Cache-Control": "no-store"}
    return Response(text.encode(), media_type=MEDIA_TYPES[kind], headers=headers)


@post("/lab/{game:str}/study/start", status_code=200)
async def start_study(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """Begins to measure the balance of the design against the built-in set."""
    v = await open_lab(request)
    fields = await read_form(request)
    games, has_rulings = parse_number(field(fields, "games")), bool(field(fields, "rulings"))
    if games not in STUDY_GAMES:
        raise BadRequest(t("Choose how many games are played."))

    def start() -> None:
        design = load(v.house, game)
        v.house.balance_study.start(design.box.id, design.path, games, has_rulings=has_rulings)

    return await _change(v, game, start, "#balance")


@post("/lab/{game:str}/study/cancel", status_code=200)
async def cancel_study(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    v = await open_lab(request)
    _, path = design_path(v.house, game)
    return await _change(v, game, partial(v.house.balance_study.cancel, path), "#balance")


async def _change(v: RequestContext, game: str, do: Callable[[], object], where: str = "") -> Response[Any]:
    """Does it and returns to the design; a refusal is shown there."""

    def build() -> Response[Any]:
        try:
            do()
        except VeilleeError as error:
            return _design_page(v, game, error)
        return v.redirect(f"/lab/{game}{where}")

    return await to_thread(build)


ROUTES = [
    show_lab,
    show_design,
    show_entry,
    begin,
    change,
    upload,
    download,
    start_study,
    cancel_study,
]
