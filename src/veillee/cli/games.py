"""`veillee games`: lists the boxes."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from veillee.cli.common import Contents, Lang, in_plain_words, play_with, room
from veillee.games.catalogue import BOXES
from veillee.words import spoken

t = room(spoken())


@in_plain_words
def games(lang: Lang, content: Contents = None) -> None:
    t = room(lang)
    play_with(content, lang)
    console = Console(highlight=False)
    for box in BOXES.values():
        seats, minutes = f"{box.players[0]}–{box.players[-1]}", f"{box.minutes[0]}–{box.minutes[1]}"
        facts = t("{seats} players, {minutes} minutes, {authors}", seats=seats, minutes=minutes, authors=box.authors)
        console.print(f"[bold cyan]{box.id}[/]  [bold]{escape(t.name(box.title))}[/]  [dim]{escape(facts)}[/]")
        console.print(f"    {escape(t.name(box.pitch))}")
        for option in box.agreements:
            values = " | ".join(f"{option.id}={value}" for value in option.values)
            console.print(f"    [dim]--option {values}: {escape(t.name(option.title))}[/]")


games.__doc__ = t("The shelf: every game that can be played.")
