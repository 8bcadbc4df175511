"""Checks the translations: every t("…") and tn("…", "…") of a package has its French, every French text is used.

A package here is a folder with words of its own: each game, the skeleton of new ones, the shelf of games, the web, the tables,
the match, the lab, the agents, the command line. The words of a board's templates may also be those of the web. Names of cards and tiles (content.toml) have both languages.
French text has the typographic apostrophe everywhere: l’épée. Sentences avoid the turns of docs/words.md.

usage: python tools/check/check_words.py [SOURCE]      prints the errors by file and string; exit code 1 if there are any
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

import jinja2
from babel.messages.pofile import read_po
from jinja2 import nodes

SOURCE = Path(__file__).resolve().parents[2] / "src" / "veillee"
LANGUAGES = ("fr", "en")
HOUSE = ("web", "house", "match", "cli", "lab", "agents", "games")  # its rooms; of the games' own, what is no game
SPEAKS = ("t", "tn")  # the functions whose words are translated
STRAIGHT = "a straight apostrophe in French"
NEVER_SAID = {
    "en": re.compile(
        r"\b(whoever|those who|shown the door|all the same|games? in the head|cleared .*away|put away|out by chance|mean place)\b"
        r"|\bis no (address|mail)\b|\ba letter is on its way\b|\b(rest room|gets through|ends the look|time is out)\b"
        r"|\bfor \d+ Karas: |^(Evening|Daylight|Say it|Fetch my data|Set the table|Go on \(.*|Look again|Not again)$",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"(?:^|[.:;!?] )[Qq]ui (?:(?:l’|s’|se |y )\w+|a|aura|veille|réfléchit|déterre|réunit|possède|dépasse|gagne|pioche|prend|trouve|arrive)\b(?!.*\?)"
        r"|\b(?:[àÀ]|[Dd]e|[Pp]our|[Ss]eul) qui (?:l’|en |n’|se )?(?:a|veut|connaît|possède)\b"
        r"|\bC’est à \{|\bl’emportez\b|\bnon lus\b(?! :)|\b(ôter|ôtez)\b|jouées? (de tête|en pensée)|procès-verbal|lien de retour"
        r"|\bVisez? bas, c’est servir\b|arrête le regard|premier lecteur|(?<!\{)\bbots?\b|\b(?P<again>(?!nous|vous)\w{3,}|à \w+|de \w+) (?P=again)\b"
        r"|\b(?:[Dd]e|[Qq]ue) \{(?:name|names|who|whose|giver|winner|loser)\}"
        r"|^(Soirée|Jour|Dire|Décider|Ranger|Ressortir|Sauter)$"
    ),
}
ELISION = re.compile(r"\b(?:[cdjlmnst]|qu)'(?=[aeiouyhàâéèêëîïôûœ{]|$)", re.IGNORECASE)  # English has none of these


class Said(NamedTuple):
    """One message at its place in the code: its singular, and its plural or nothing."""

    place: str
    one: str
    many: str


def rooms(source: Path) -> list[Path]:
    games = sorted(path.parent for place in ("games", "skeleton") for path in (source / place).glob("*/__init__.py"))
    return games + [source / name for name in HOUSE if (source / name).is_dir()]


# -- what is said -----------------------------------------------------------------------------------------------
def said_in(room: Path) -> Iterator[Said]:
    found = room.glob if room.name == "games" else room.rglob
    for path in sorted(found("*.py")):
        yield from said_in_python(path)
    for path in sorted([*found("*.html"), *found("*.svg"), *found("*.txt")]):
        yield from said_in_template(path)


def said_in_python(path: Path) -> Iterator[Said]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in SPEAKS:
            texts = [a.value if isinstance(a, ast.Constant) and isinstance(a.value, str) else None for a in node.args]
            yield from message(f"{path}:{node.lineno}", name, texts)


def said_in_template(path: Path) -> Iterator[Said]:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".html" and "{{" not in text and "{%" not in text:
        return  # a plain picture
    for node in jinja2.Environment(autoescape=True).parse(text).find_all(nodes.Call):
        name = node.node.name if isinstance(node.node, nodes.Name) else getattr(node.node, "attr", "")
        if name in SPEAKS:
            texts = [a.value if isinstance(a, nodes.Const) and isinstance(a.value, str) else None for a in node.args]
            yield from message(f"{path}:{node.lineno}", name, texts)


def message(place: str, name: str, texts: list[str | None]) -> Iterator[Said]:
    """Yields the message of a call; only literal strings can be checked."""
    if name == "tn" and len(texts) > 1 and texts[0] is not None and texts[1] is not None:
        yield Said(place, texts[0], texts[1])
    elif name != "tn" and texts and texts[0] is not None:
        yield Said(place, texts[0], "")


# -- what is translated -------------------------------------------------------------------------------------------
def translations(room: Path) -> dict[str, tuple[str, ...]]:
    """Returns the French of a package: each message with its text, or its singular and plural."""
    path = room / "locale" / "fr.po"
    found: dict[str, tuple[str, ...]] = {}
    if not path.exists():
        return found
    with path.open("rb") as file:
        for entry in read_po(file, locale="fr", abort_invalid=True):
            if entry.id and not entry.fuzzy:
                source = entry.id if isinstance(entry.id, str) else entry.id[0]
                found[source] = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
    return found


def blanks(text: str) -> set[str]:
    """Returns the {placeholders} of a message."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def wrong_in(room: Path, spoken: list[Said], house: dict[str, tuple[str, ...]]) -> Iterator[str]:
    french = translations(room)
    used: set[str] = set()
    for said in spoken:
        used.add(said.one)
        texts = french.get(said.one)
        if texts is None and "board" in Path(said.place).parts:
            texts = house.get(said.one)
        if texts is None or not all(texts):
            yield f"{said.place}: not translated into French: {said.one!r}"
        else:
            yield from differing(said, texts)
    po = room / "locale" / "fr.po"
    yield from twice_in(po)
    for text, texts in french.items():
        if text not in used:
            yield f"{po}: nobody says this any more: {text!r}"
        if any("'" in told for told in texts):
            yield f"{po}: {STRAIGHT}: {text!r}"
        for lang, sentences in (("en", (text,)), ("fr", texts)):
            if any(NEVER_SAID[lang].search(sentence) for sentence in sentences):
                yield f"{po}: not how people speak (docs/words.md): {text!r}"


def twice_in(po: Path) -> Iterator[str]:
    """Yields messages that are translated twice: of two texts only one would be shown, at both places."""
    seen: set[str] = set()
    for line in po.read_text("utf-8").splitlines() if po.exists() else ():
        if line.startswith('msgid "') and line != 'msgid ""':
            if line in seen:
                yield f"{po}: translated twice: {line.removeprefix('msgid ')}"
            seen.add(line)


def differing(said: Said, texts: tuple[str, ...]) -> Iterator[str]:
    if (len(texts) > 1) != bool(said.many):
        yield f"{said.place}: one text has a plural and the other none: {said.one!r}"
        return
    try:
        for wanted, text in zip((said.one, said.many), texts, strict=False):
            free = {"n"} if said.many else set()  # a singular may say "a card" for "{n} card"
            if (blanks(text) ^ blanks(wanted)) - free:
                yield f"{said.place}: other {{placeholders}} in French: {wanted!r} / {text!r}"
    except ValueError as error:
        yield f"{said.place}: {error}: {said.one!r}"


# -- rulebooks and guided first games ----------------------------------------------------------------------------------
def wrong_in_books(source: Path) -> Iterator[str]:
    """Yields sentences of rulebooks and guided first games that are not how people speak."""
    for path in sorted(source.glob("games/*/rulebook/??.md")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if found := NEVER_SAID[path.stem].search(line):
                yield f"{path}:{number}: not how people speak (docs/words.md): {found[0]!r}"
    for path in sorted(source.glob("games/*/first-game.toml")):
        for number, note in enumerate(tomllib.loads(path.read_text("utf-8")).get("notes", []), 1):
            for lang in LANGUAGES:
                if found := NEVER_SAID[lang].search(" ".join(note.get(lang, "").split())):
                    yield f"{path}: note {number} ({lang}): not how people speak (docs/words.md): {found[0]!r}"


# -- content ----------------------------------------------------------------------------------------------------------
def wrong_names(path: Path) -> Iterator[str]:
    """Yields names in content.toml that are missing in one of the languages."""

    def look(value: Any, where: str) -> Iterator[str]:
        if isinstance(value, dict):
            spoken = [lang for lang in LANGUAGES if lang in value]
            for lang in LANGUAGES:
                if spoken and not value.get(lang):
                    yield f"{path}: {where or 'top'} has no name in {lang!r}"
            if "'" in str(value.get("fr", "")):
                yield f"{path}: {STRAIGHT}: {value['fr']}"
            for key, inner in value.items():
                if key == "name" and not isinstance(inner, dict):
                    yield f"{path}: {where} has one name for all languages: {inner!r}"
                yield from look(inner, f"{where}.{key}".lstrip("."))
        elif isinstance(value, list):
            for number, inner in enumerate(value):
                yield from look(inner, f"{where}[{number}]")

    yield from look(tomllib.loads(path.read_text(encoding="utf-8")), "")


# -- French elsewhere --------------------------------------------------------------------------------------------------
def straight_in(source: Path) -> Iterator[str]:
    """Yields straight apostrophes in rulebooks, names in the code ("fr": …), composed strings and templates."""
    for path in sorted(source.rglob("fr.md")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if "'" in line:
                yield f"{path}:{number}: {STRAIGHT}"
    for path in sorted(source.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docs:
                if ELISION.search(node.value):
                    yield f"{path}:{node.lineno}: {STRAIGHT}: {node.value!r}"
    for path in sorted(source.rglob("*.html")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if ELISION.search(line):
                yield f"{path}:{number}: {STRAIGHT}"


def main() -> int:
    source = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else SOURCE
    house = translations(source / "web")
    wrong: list[str] = []
    count = 0
    for room in rooms(source):
        spoken = list(said_in(room))
        wrong += wrong_in(room, spoken, house)
        count += len(translations(room))
    for path in sorted((source / "games").glob("*/content.toml")):
        wrong += wrong_names(path)
    wrong += straight_in(source)
    wrong += wrong_in_books(source)
    for line in dict.fromkeys(wrong):
        print(line.replace(f"{source}/", ""))
    print(f"{count} French texts, {len(wrong)} wrong." if wrong else f"Words: {count} French texts, all in use.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
