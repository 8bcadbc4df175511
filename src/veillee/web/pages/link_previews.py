"""Link previews in chats: title, sentence and picture. Made of public information only (the seats, and the result of a
game); the position is not read."""

from __future__ import annotations

from collections.abc import Sequence

from litestar import Response, get
from litestar.params import FromPath

from veillee.games.box import Box
from veillee.house.tables.moment import Moment
from veillee.house.tables.seats import Seat
from veillee.web.http.preferences import read_preferences
from veillee.web.http.request import AnyRequest, Preview, find_box
from veillee.web.http.work_pools import PICTURES, to_thread
from veillee.web.rendering.images import SeatImage, picture
from veillee.web.rendering.seat_names import names_at
from veillee.web.rendering.templates import translator
from veillee.words import LANGUAGES

PREVIEW_CACHE_HEADERS = {
    "Cache-Control": "public, max-age=600",
    "Cross-Origin-Resource-Policy": "cross-origin",  # chats show it on their own pages
}


def of_house(name: str, lang: str) -> Preview:
    t = translator(lang)
    return Preview(
        t("{house}: board games by the fire", house=name),
        t("Pull up a chair: good games at any hour, alone against bots or with friends, without an account."),
        f"/picture.png?lang={lang}",
    )


def of_box(box: Box, lang: str) -> Preview:
    return Preview(box.title[lang], box.pitch[lang], f"/games/{box.id}/picture.png?lang={lang}")


def of_table(now: Moment, lang: str) -> Preview:
    t, box = translator(lang), now.box
    game = box.title[lang]
    if now.status == "waiting":
        title = invites(now.seats, game, lang)
    elif now.status == "over":
        title = f"{game}: {result(now, lang)}"
    else:
        title = f"{game}: {', '.join(names_at(now, lang))}"
    about = {
        "waiting": t("A chair is free: sit down, or watch."),
        "playing": t("A game is being played: come and watch."),
        "over": t("Look back at the whole game, move by move."),
    }[now.status]
    # changes with the seats and the status, so that chats fetch a new picture
    address = f"/t/{now.id}/picture.png?lang={lang}&n={now.row.reseated}{now.status[0]}"
    return Preview(title, f"{about} {box.pitch[lang]}", address, private=True)


def invites(seats: Sequence[Seat], game: str, lang: str) -> str:
    """Returns who invites to which game."""
    t = translator(lang)
    hosts = [seat.name for seat in seats if seat.guest]
    if len(hosts) == 1:
        return t("{name} invites you to play {game}", name=hosts[0], game=game)
    if hosts:
        return t("{names} invite you to play {game}", names=", ".join(hosts), game=game)
    return t("You are invited to play {game}", game=game)


def result(now: Moment, lang: str) -> str:
    t = translator(lang)
    winners = [names_at(now, lang)[seat] for seat in now.match.winners]
    if len(winners) == 1:
        return t("{name} wins!", name=winners[0])
    if winners:
        return t("{names} share the victory!", names=", ".join(winners))
    return t("The game is over.")


def preview_line(now: Moment, lang: str) -> str:
    """Returns the line of text in the picture."""
    t = translator(lang)
    if now.status == "waiting":
        free = sum(seat.kind == "open" for seat in now.seats)
        return t.tn("{n} empty chair", "{n} empty chairs", free)
    return result(now, lang) if now.status == "over" else t("A game is being played")


def chairs(now: Moment, lang: str) -> tuple[SeatImage, ...]:
    over, called = now.status == "over", names_at(now, lang)
    return tuple(
        SeatImage(
            now.box.colours[number],
            called[number],
            seat.kind,
            str(now.match.state.score(number)) if over else "",
            over and number in now.match.winners,
        )
        for number, seat in enumerate(now.seats)
    )


def language(request: AnyRequest) -> str:
    """Returns the language that the address names: programs that fetch previews send no Accept-Language."""
    lang = request.query_params.get("lang", "")
    return lang if lang in LANGUAGES else read_preferences(request).lang


async def png(
    request: AnyRequest, boxes: Sequence[Box], line: str = "", around: tuple[SeatImage, ...] = ()
) -> Response[bytes]:
    name = request.app.state.house.profile.name
    drawn = await PICTURES.run(picture, tuple(box.id for box in boxes), language(request), line, around, name)
    return Response(drawn, media_type="image/png", headers=PREVIEW_CACHE_HEADERS)


@get("/picture.png")
async def shelf_picture(request: AnyRequest) -> Response[bytes]:
    return await png(request, [*request.app.state.house.profile.shelf().values()][:5])


@get("/games/{game:str}/picture.png")
async def box_picture(request: AnyRequest, game: FromPath[str]) -> Response[bytes]:
    return await png(request, [find_box(game)])


@get("/t/{table_id:str}/picture.png")
async def table_picture(request: AnyRequest, table_id: FromPath[str]) -> Response[bytes]:
    """Returns a picture of the table from above with its seats, as any visitor may see it."""
    table = await to_thread(request.app.state.house.tables.find, table_id)
    now, lang = table.moment, language(request)
    return await png(request, [now.box], preview_line(now, lang), chairs(now, lang))


ROUTES = [shelf_picture, box_picture, table_picture]
