"""The MCP server: `veillee mcp`. Its tools are those of agents/seated.py, each for one seat of the caller."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Annotated, Any, ParamSpec

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

import veillee
from veillee.agents.rule_search import describe_rules
from veillee.agents.seated import Lobby, ToolReply, own_seat
from veillee.games import catalogue
from veillee.games.box import Box
from veillee.match.errors import VeilleeError
from veillee.match.setup import check_seats

P = ParamSpec("P")
MAX_CHOICES = 100  # answers in one call
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)

# Descriptions for the model, not for people at a table: in English only.
INSTRUCTIONS = """\
Veillée: five board games with exact rules. Begin with `boxes`, then `new_match`; it returns a match id and the position \
as your seat knows it. Answer a question with `play` and the id of one of its choices; the bots then answer, and you get \
the next position. A refused answer changes nothing and names the rule: `rules` has its text, `why_not` says what else \
is forbidden. Seats are numbered from 0; in sentences seat 0 is "Player 1". You see what your seat may know, never another's."""

Match = Annotated[str, Field(description="The id that `new_match` returned.")]
Seat = Annotated[int | None, Field(description="One of your seats, from 0; may be left out if you have one.")]
Game = Annotated[str, Field(description="The id of a box, such as `takara-island`: see `boxes`.")]


def make_server(lobby: Lobby, lang: str, *, has_house: bool = False) -> MCPServer:
    """Returns a server with all tools."""
    server: MCPServer = MCPServer(
        "veillee", title="Veillée", instructions=INSTRUCTIONS, version=veillee.__version__, log_level="WARNING"
    )

    def tool(annotations: ToolAnnotations) -> Callable[[Callable[P, ToolReply]], None]:
        def register(function: Callable[P, ToolReply]) -> None:
            server.tool(annotations=annotations)(as_tool(function, lang))

        return register

    @tool(READS)
    def boxes() -> ToolReply:
        """List the games: id, title, numbers of players, options and their values (the first is the default)."""
        known = [describe_box(box, lang) for box in catalogue.BOXES.values()]
        return ToolReply("\n".join(line for line, _ in known), {"boxes": [data for _, data in known]})

    @tool(WRITES)
    def new_match(
        game: Game,
        seats: Annotated[
            list[str] | None,
            Field(
                description="For each seat `me`, or a bot: random, plain, novice, regular, expert, master (in a house also `open`). Default: you, then regulars."
            ),
        ] = None,
        seed: Annotated[
            int | None, Field(description="The same seed gives the same shuffle; none: a secret one.", ge=0)
        ] = None,
        options: Annotated[dict[str, str] | None, Field(description="Options of the box, by id.")] = None,
    ) -> ToolReply:
        """Begin a game. Returns the match id and the first position."""
        company = seats or ["me", *["regular"] * (check_seats(game, None)[1] - 1)]
        seated, first = lobby.new(game, company, seed, options or {})
        data = {"match": seated.id, "seats": list(seated.seats), **first.data}
        return ToolReply(f"match {seated.id}\n{first.text}", data)

    @tool(READS)
    def view(
        match: Match,
        seat: Seat = None,
        as_data: Annotated[bool, Field(description="Also the whole view as data: long.")] = False,
    ) -> ToolReply:
        """Show what your seat may know: the position, the news since your last answer, the question, the choices."""
        seated = lobby.find(match)
        return seated.view(own_seat(seated, seat), has_data=as_data)

    @tool(READS)
    def choices(match: Match, seat: Seat = None) -> ToolReply:
        """List the legal choices of your seat: ids and words. Empty if your seat is not asked."""
        seated = lobby.find(match)
        return seated.choices(own_seat(seated, seat))

    @tool(READS)
    def why_not(
        match: Match,
        choice: Annotated[
            int | None, Field(description="The id of an answer; none: all that are forbidden now.")
        ] = None,
        seat: Seat = None,
    ) -> ToolReply:
        """Say which rule forbids an answer of your seat, in a sentence."""
        seated = lobby.find(match)
        return seated.why_not(own_seat(seated, seat), choice)

    @tool(WRITES)
    def play(
        match: Match,
        choices: Annotated[
            list[int],
            Field(
                description="The id of one choice; or several ids, which answer the next questions too: all or none are played.",
                min_length=1,
                max_length=MAX_CHOICES,
            ),
        ],
        seat: Seat = None,
    ) -> ToolReply:
        """Answer the question of your seat. Returns the next position. A refusal names the rule and changes nothing."""
        seated = lobby.find(match)
        return seated.play(own_seat(seated, seat), choices)

    @tool(WRITES)
    def undo(match: Match, seat: Seat = None) -> ToolReply:
        """Take back your seat's last answer, as long as nothing has become known by it."""
        seated = lobby.find(match)
        return seated.undo(own_seat(seated, seat))

    @tool(READS)
    def log(
        match: Match,
        since: Annotated[int, Field(description="Leave out so many events: `heard` of the last call.", ge=0)] = 0,
        seat: Seat = None,
    ) -> ToolReply:
        """Tell what has happened, as far as your seat knows, each line with its rule."""
        seated = lobby.find(match)
        return seated.log(own_seat(seated, seat), since)

    @tool(READS)
    def rules(
        game: Game,
        search: Annotated[str, Field(description="Words that the rules must contain.", max_length=200)] = "",
        rule: Annotated[str, Field(description="The id of a rule, such as `TI-3.1`.", max_length=20)] = "",
    ) -> ToolReply:
        """Read the rulebook: one rule by its id, those that contain all words, or the chapters."""
        return describe_rules(check_seats(game, None)[0], lang, search, rule)

    @tool(READS)
    def hint(
        match: Match,
        level: Annotated[str, Field(description="The level of the bot that thinks.")] = "expert",
        seat: Seat = None,
    ) -> ToolReply:
        """Ask a bot what it would choose in your place, from what your seat knows. A table of a house may forbid it."""
        seated = lobby.find(match)
        return seated.hint(own_seat(seated, seat), level)

    @tool(READS)
    def analysis(
        match: Match,
        games: Annotated[int, Field(description="Simulated games for each position; more are surer and slower.")] = 40,
        seat: Seat = None,
    ) -> ToolReply:
        """After the end: what was luck, what was skill, and the mistakes of your seat with better choices."""
        seated = lobby.find(match)
        return seated.analysis(own_seat(seated, seat), games)

    @tool(READS)
    def record(match: Match) -> ToolReply:
        """Return the public record; after the end with seed and answers, for `veillee verify`."""
        return lobby.find(match).record()

    if has_house:

        @tool(WRITES)
        def sit_down(table: Annotated[str, Field(description="The address of a table, or its id.")]) -> ToolReply:
            """Take an open seat, or the one that is yours already, at a table of the house."""
            seated, first = lobby.sit_down(table)
            data = {"match": seated.id, "seats": list(seated.seats), **first.data}
            return ToolReply(f"match {seated.id}\n{first.text}", data)

    return server


def as_tool(function: Callable[P, ToolReply], lang: str) -> Callable[P, CallToolResult]:
    """Returns the function as a tool: text and data, and refusals as sentences with the id of the rule."""

    @wraps(function)
    def answer(*args: P.args, **kwargs: P.kwargs) -> CallToolResult:
        try:
            reply, is_error = function(*args, **kwargs), False
        except VeilleeError as error:
            reply, is_error = ToolReply(error.cite(lang), {"sentence": error.say(lang), "rule": error.rule}), True
        text = TextContent(type="text", text=reply.text)
        return CallToolResult(content=[text], structured_content=reply.data, is_error=is_error)

    told: Any = answer  # the SDK reads from the signature what goes in and comes out
    told.__signature__ = signature(function, eval_str=True).replace(return_annotation=CallToolResult)
    return answer


def describe_box(box: Box, lang: str) -> tuple[str, dict[str, Any]]:
    """Returns a box as a line and as data."""
    options = {option.id: list(option.values) for option in box.agreements}
    few, many = box.players[0], box.players[-1]
    said = [f"{box.id}: {box.title[lang]}, {few}-{many}. {box.goal.get(lang) or box.pitch[lang]}"]
    said += [f"{name}={'|'.join(values)}" for name, values in options.items()]
    data = {"id": box.id, "title": box.title[lang], "players": [few, many], "options": options}
    return " ".join(said), data


def run(server: MCPServer, port: int | None) -> None:
    """Serves by stdio, or by streamable HTTP on this machine alone; Host and Origin are checked."""
    if port is None:
        server.run("stdio")
    else:
        server.run("streamable-http", host="127.0.0.1", port=port)
