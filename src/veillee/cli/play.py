"""`veillee play GAME`: plays a game in the terminal, against bots."""

from __future__ import annotations

import getpass
import json
import os
import select
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table

from veillee.bots.levels import AT_HOME, adaptive_level_name, strength_of
from veillee.bots.planning import resample_for_seat, think
from veillee.cli.common import Contents, Lang, box_of, fail, in_plain_words, play_with, read_json, room, seats_of
from veillee.games.box import Box
from veillee.games.rulebook import book, rules
from veillee.house.accounts.names import LONGEST_NAME, clean_name
from veillee.house.tables.seats import BOT_NAMES
from veillee.match.compact_text import UNLIMITED, describe_view
from veillee.match.match import Choice, Match
from veillee.match.saves import load
from veillee.match.setup import new
from veillee.words import Words, spoken

ME = 0  # the seat of the player at the terminal
SPEEDS = {"calm": 1.6, "normal": 1.0, "brisk": 0.4, "at-once": 0.0}  # factors of the pause after a line
PAUSE = 0.3  # seconds after a line of the log,
READING = 0.015  # and for each of its letters

t = room(spoken())


@in_plain_words
def play(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help=t("A game of the shelf, or the file of a game that you saved."))
    ],
    lang: Lang,
    seats: Annotated[int | None, typer.Option(help=t("How many play, you included."))] = None,
    level: Annotated[
        str, typer.Option(metavar="|".join((*AT_HOME, adaptive_level_name(0.5))), help=t("How well the others play."))
    ] = "regular",
    name: Annotated[str, typer.Option(help=t("Your name."))] = "",
    speed: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(SPEEDS),
            help=t("How fast you are told what happened: `normal`, or `at-once` where nobody looks on. Enter skips."),
        ),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help=t("Plain lines without pictures and colours, for screen readers and pipes."))
    ] = False,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help=t("An option of the game: see `veillee games`."))
    ] = None,
    seed: Annotated[int | None, typer.Option(help=t("A number that gives the same shuffle every time."))] = None,
    save: Annotated[
        Path | None, typer.Option(help=t("Where `q` keeps the game; by default a file named after it, here."))
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help=t("Where the finished game is written, for `veillee verify`."))
    ] = None,
    content: Contents = None,
) -> None:
    t = room(lang)
    if not is_played(level):
        known = ", ".join((*AT_HOME, f"{adaptive_level_name(0)} … {adaptive_level_name(1)}"))
        fail(t("There is no level {level}: the levels are {levels}.", level=repr(level), levels=known))
    if speed not in (*SPEEDS, None):
        fail(t("There is no speed {speed}: the speeds are {speeds}.", speed=repr(speed), speeds=", ".join(SPEEDS)))
    path = Path(game)
    if path.suffix == ".json" or path.is_file():
        play_with(content, lang)
        company = resume_match(path, t)
        save = save or path
    else:
        box = box_of(game, t)
        play_with(content, lang, box)
        number = seats_of(box, seats, t)
        match = new(box.id, number, seed, **options_of(option or [], t))
        company = Company(match, names_of(name, number, t), level)
    screen = PlainScreen() if plain else Screen()
    Evening(company, lang, save, record, Random(seed), Rhythm(speed), screen).spend()


@dataclass
class Company:
    """A match with the names of its players and the level of its bots."""

    match: Match
    names: Sequence[str]
    level: str


def is_played(level: str) -> bool:
    """Returns whether the terminal offers that level. It stores no games, so adaptive bots need an explicit strength."""
    return level in AT_HOME or strength_of(level) is not None


def names_of(name: str, seats: int, t: Words) -> list[str]:
    """Returns the player's name first, then those of the bots."""
    mine = clean_name(name) if name else _login() or t("Guest")
    others = [bot for bot in BOT_NAMES if bot != mine]
    return [mine, *others[: seats - 1]]


def _login() -> str:
    try:
        return getpass.getuser().capitalize()[:LONGEST_NAME]
    except (OSError, KeyError):  # a user without a name
        return ""


def options_of(given: Sequence[str], t: Words) -> dict[str, str]:
    options = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            fail(t("An option is NAME=VALUE, not {given}.", given=repr(pair)))
        options[name] = value
    return options


# -- files ------------------------------------------------------------------------------------------------------
def resume_match(path: Path, t: Words) -> Company:
    """Returns the game of a file; names and level are validated like the rest."""
    data = read_json(path, t)
    match = load(data)
    company: Any = data.get("company") if isinstance(data, dict) else None
    names = company.get("names") if isinstance(company, dict) else None
    level = company.get("level") if isinstance(company, dict) else None
    if not (isinstance(names, list) and len(names) == match.seats and all(isinstance(name, str) for name in names)):
        names = names_of("", match.seats, t)
    return Company(
        match, [clean_name(name) for name in names], level if isinstance(level, str) and is_played(level) else "regular"
    )


def free_path(box: Box) -> Path:
    """Returns a path in this folder that does not exist yet."""
    path, number = Path(f"{box.id}.json"), 2
    while path.exists():
        path, number = Path(f"{box.id}-{number}.json"), number + 1
    return path


def write(path: Path, data: Mapping[str, Any]) -> None:
    """Writes the file atomically: a full disk leaves the older file unchanged. Raises OSError."""
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(data) + "\n", encoding="utf-8")
    part.replace(path)


class Rhythm:
    """Pauses after each line of the log. Enter skips to the question."""

    def __init__(self, speed: str | None) -> None:
        """Without a speed: normal in a terminal, otherwise without pauses."""
        self.watched = sys.stdin.isatty() and sys.stdout.isatty()
        self.factor = SPEEDS[speed or ("normal" if self.watched else "at-once")]
        self.hurried = False  # until the next question
        self.typed: list[str] = []  # typed during the pauses: answers to the next questions

    def rest(self, line: str) -> None:
        """Waits while the line is read."""
        seconds = (PAUSE + READING * len(line)) * self.factor
        if self.hurried or not seconds:
            return
        try:
            if not self.watched or os.name != "posix":  # other systems cannot wait for a key with a timeout
                time.sleep(seconds)
            elif select.select([sys.stdin], [], [], seconds)[0]:
                self.hurried = True
                self.typed += filter(None, [sys.stdin.readline().strip()])
        except KeyboardInterrupt:
            self.hurried = True
            self.typed = ["q"]


class Screen:
    """Shows things in a terminal, with frames and colours."""

    prompt = "[bold cyan]›[/] "

    def __init__(self) -> None:
        self.console = Console(highlight=False)

    def title(self, title: str) -> None:
        self.console.rule(f"[bold]{escape(title)}[/]")

    def board(self, match: Match, names: Sequence[str], lang: str) -> None:
        board = match.box.draw(match.view(ME), names, match.words(lang))
        self.console.print(Panel(board, padding=(0, 1)))

    def text(self, title: str, text: str) -> None:
        """Shows some paragraphs of rich markup."""
        self.console.print(Panel(text, title=title, title_align="left", width=min(self.console.width, 90)))

    def busy(self, said: str) -> AbstractContextManager[object]:
        """Shows that a bot is thinking."""
        return self.console.status(said)

    def choice(self, number: int, label: str) -> None:
        self.console.print(f"  [bold cyan]{number:>2}[/]  {escape(label)}")


class PlainScreen(Screen):
    """Shows things as plain lines (match/compact_text.py), for screen readers and pipes."""

    prompt = "> "

    def __init__(self) -> None:
        super().__init__()
        self.console = Console(highlight=False, color_system=None, width=UNLIMITED)

    def title(self, title: str) -> None:
        self.console.print(escape(title))

    def board(self, match: Match, names: Sequence[str], lang: str) -> None:
        self.console.print(escape("\n".join(describe_view(match.box, match.view(ME), names, lang))))

    def text(self, title: str, text: str) -> None:
        self.console.print(f"{title}\n{text}")

    def busy(self, said: str) -> AbstractContextManager[object]:
        return nullcontext()

    def choice(self, number: int, label: str) -> None:
        self.console.print(escape(f"{number} {label}"))


class Evening:
    """A game of one person at the terminal (seat ME) with bots."""

    def __init__(
        self,
        company: Company,
        lang: str,
        save: Path | None,
        record: Path | None,
        chance: Random,
        rhythm: Rhythm,
        screen: Screen,
    ) -> None:
        self.match = company.match
        self.company = company
        self.lang = lang
        self.save = save
        self.record = record
        self.chance = chance  # of the bots' search, not of the game
        self.rhythm = rhythm
        self.t = room(lang)
        self.screen = screen
        self.console = screen.console
        self.told = len(self.log()) - len(self.log(since=self.match.known(ME)))  # lines that were shown, or are not new

    def spend(self) -> None:
        match, t = self.match, self.t
        self.screen.title(t.name(match.box.title))
        seal = t("The shuffle is sealed before the first move: {commitment}", commitment=match.commitment)
        self.console.print(seal, style="dim", soft_wrap=True)
        while not match.over:
            self.tell_news()
            bots = [seat for seat in match.to_act if seat != ME]
            if bots:
                self.bot_moves(bots[0])
            elif not self.my_move():
                return
        self.tell_news()
        self.show_board()
        self.tell_result()

    # -- moves --------------------------------------------------------------------------------------------------
    def bot_moves(self, seat: int) -> None:
        """Plays the bot's answer; the bot gets only what its seat knows."""
        match, chance = self.match, self.chance.getrandbits(32)
        with self.screen.busy(self.t("{who} is thinking…", who=self.company.names[seat])):
            answer = think(match.box.id, resample_for_seat(match.state, seat, chance), seat, self.company.level, chance)
        match.play(seat, answer)

    def my_move(self) -> bool:
        """Asks until there is an answer. False: the player leaves the game for now."""
        self.rhythm.hurried = False
        if self.match.in_hand() != ME:  # during a move the board printed before it is enough
            self.show_board()
        self.show_question()
        while True:
            word, _, rest = self.ask().partition(" ")
            if word in ("", "b"):
                self.show_board()
                self.show_question()
            elif word.isdecimal():
                if self.choose(int(word)):
                    return True
            elif word == "u":
                if self.take_back():
                    return True
            elif word == "q":
                if self.put_away():
                    return False
            else:
                self.answer_aside(word, rest.strip())

    def ask(self) -> str:
        try:
            if self.rhythm.typed:
                return self.rhythm.typed.pop(0).lower()
            return self.console.input(self.screen.prompt).strip().lower()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            return "q"

    def choices(self) -> list[Choice]:
        """Returns the choices as they are numbered: those that discard something come last."""
        return sorted(self.match.choices(ME), key=lambda choice: bool(choice.gives_up(self.lang)))

    def choose(self, number: int) -> bool:
        choices = self.choices()
        if not 1 <= number <= len(choices):
            self.say(self.t("Choose a number from 1 to {n}.", n=len(choices)))
            return False
        choice = choices[number - 1]
        lost = choice.gives_up(self.lang)
        if lost and not self.is_sure(lost):
            return False
        self.match.play(ME, choice)
        return True

    def is_sure(self, lost: str) -> bool:
        """Asks for confirmation before an answer discards something."""
        self.say(lost)
        self.say(self.t("Do it anyway? y: yes, anything else: no"))
        return self.ask() in ("y", "yes", "o", "oui")

    def take_back(self) -> bool:
        if self.match.undo(ME):
            return True
        self.say(self.t("Nothing can be undone: somebody has learned something since."))
        return False

    def put_away(self) -> bool:
        """Saves the game and leaves; if it cannot be saved, stays."""
        path = self.save or free_path(self.match.box)
        company = {"names": list(self.company.names), "level": self.company.level}
        try:
            write(path, {**self.match.save(), "company": company})
        except OSError as error:
            sentence = self.t("{file} cannot be written: {reason}.", file=path, reason=error.strerror)
            if not self.console.is_terminal:
                fail(sentence)
            self.say(sentence)
            self.save = None  # the next attempt writes to this folder
            return False
        self.say(self.t("The game is kept in {file}. To go on: veillee play {file}", file=path))
        return True

    # -- what is asked aside ------------------------------------------------------------------------------------
    def answer_aside(self, word: str, rest: str) -> None:
        match word:
            case "?":
                self.tell_why_not()
            case "r":
                self.tell_rule(rest.upper() or self.match.question(ME, self.lang)[1])
            case "h":
                self.tell_hint()
            case "l":
                for rule, line in self.log():
                    self.say_by(rule, line)
            case _:
                self.say(self.t("I do not know {word}.", word=repr(word)))
                self.show_keys()

    def tell_why_not(self) -> None:
        refused = [choice for choice in self.match.all_choices(ME) if not choice.allowed]
        if not refused:
            self.say(self.t("Everything that the question could be answered with is allowed."))
        for choice in refused:
            label, reason = choice.label(self.lang), choice.why(self.lang)
            self.say_by(choice.rule, self.t("{choice}: {reason}", choice=label, reason=reason))

    def tell_rule(self, rule: str) -> None:
        known = {told.id: told for told in rules(book(self.match.box.folder, self.lang) or "")}
        if rule not in known:
            self.say(self.t("There is no rule {rule}. The rules: {rules}.", rule=rule, rules=", ".join(known)))
            return
        t = self.t
        marks = {
            "ruling": t("our ruling"),
            "departure": t("our departure"),
            "fact": t("published fact"),
            "reconstruction": t("our reconstruction"),
        }
        whole = known[rule].mark
        title = rule + (f" ({marks[whole]})" if whole else "")
        text = "\n".join(
            escape(part.text) if part.mark == whole else f"[bold]{marks[part.mark]}[/bold]  {escape(part.text)}"
            for part in known[rule].parts
        )
        self.screen.text(title, text)

    def tell_hint(self) -> None:
        with self.screen.busy(self.t("Thinking it over…")):
            hint = self.match.hint(ME, self.chance.getrandbits(32))
        self.say(self.t("I would choose: {choice}.", choice=hint.choice.label(self.lang)))
        if reason := hint.reason(self.lang):
            self.say(reason)
        chances = [chance for chance in hint.chances if chance.games]
        if chances:
            self.console.print(self.t("Chances to win"), style="dim")
            table = Table(box=None, show_header=False, padding=(0, 1))
            table.add_column(justify="right", no_wrap=True)
            for chance in chances:
                table.add_row(f"{round(chance.wins * 100)}\u00a0%", escape(chance.choice.label(self.lang)))
            self.console.print(table)

    # -- what is shown ------------------------------------------------------------------------------------------
    def tell_news(self) -> None:
        """Prints the events since the log was last shown, line by line."""
        lines = self.log()
        for rule, line in lines[min(self.told, len(lines)) :]:
            self.say_by(rule, line)
            self.rhythm.rest(line)
        self.told = len(lines)

    def log(self, since: int = 0) -> list[tuple[str, str]]:
        """Returns the chronicle of the player's seat without the first `since` events."""
        return self.match.log(ME, self.lang, self.company.names, since)

    def show_board(self) -> None:
        self.screen.board(self.match, self.company.names, self.lang)

    def show_question(self) -> None:
        question, rule = self.match.question(ME, self.lang)
        self.console.print(f"[bold]{escape(question)}[/] [dim]({rule})[/]")
        for number, choice in enumerate(self.choices(), 1):
            self.screen.choice(number, choice.label(self.lang))
        self.show_keys()

    def show_keys(self) -> None:
        keys = self.t("number: choose · ? why not · u undo · h hint · r rule · l log · b board · q keep and leave")
        self.console.print(keys, style="dim")

    def say(self, sentence: str) -> None:
        self.console.print(sentence, markup=False, soft_wrap=True)

    def say_by(self, rule: str, line: str) -> None:
        self.console.print(f"{escape(line)} [dim]({rule})[/]")

    def tell_result(self) -> None:
        match, t = self.match, self.t
        account = match.account(self.lang, self.company.names)
        for place, seats in enumerate(match.ranking, 1):
            for seat in seats:
                table = Table(box=None, show_header=False, padding=(0, 1), title_justify="left", title_style="bold")
                table.title = f"{place}. {escape(self.company.names[seat])}: {match.scores[seat]}"
                table.add_column(justify="right")
                for line in account[seat]:
                    table.add_row(f"{line.points:+d}", escape(line.text), f"[dim]({line.rule})[/]")
                self.console.print(table)
        winners = ", ".join(self.company.names[seat] for seat in match.winners)
        self.console.print(f"[bold]{escape(t('Victory: {names}', names=winners) if winners else t('Nobody wins.'))}[/]")
        path = self.record or self.save
        if path is None:
            return
        try:
            write(path, match.record())
        except OSError as error:
            fail(t("{file} cannot be written: {reason}.", file=path, reason=error.strerror))
        self.say(t("To check the whole game: veillee verify {file}", file=path))


play.__doc__ = t("Play in the terminal, against bots. `q` keeps the game in a file; give that file to go on.")
