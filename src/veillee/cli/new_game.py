"""`veillee new-game NAME`: writes a package with a small working game, as a start for a new one."""

from __future__ import annotations

import json
import keyword
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import veillee
from veillee.cli.common import Lang, fail, in_plain_words, room
from veillee.games.catalogue import BOX_PATH_VARIABLE, CODE, find
from veillee.kernel.state import VERSION
from veillee.words import Words, spoken

SKELETON = Path(veillee.__file__).parent / "skeleton"  # a game like any other: `make check` reads it, tests play it
LEFT_OUT = ("__pycache__", "golden")
MAX_NAME_LENGTH = 40  # of a name
LETTERS = str.maketrans(
    {"œ": "oe", "æ": "ae", "ß": "ss", "ø": "o", "ł": "l", "đ": "d"}
)  # which Unicode does not take apart
RESERVED_MODULES = {"tests", "conftest"}  # modules of every package

t = room(spoken())


@dataclass(frozen=True)
class Names:
    """Names of a game in different contexts."""

    id: str  # in URLs and commands: my-game
    code: str  # in rules and style sheets: mg
    title: str  # shown to players: My Game

    @property
    def module(self) -> str:
        return self.id.replace("-", "_")

    @property
    def state(self) -> str:
        """Name of the class of its positions, MyGame; must not clash with another name in the skeleton."""
        name = "".join(word.capitalize() for word in self.id.split("-"))
        used = {
            word for path in SKELETON.rglob("*.py") for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))
        }
        return f"{name}Game" if name in used - {"MyGame"} else name

    def put_in(self, text: str, suffix: str) -> str:
        """Returns the text of a file of the skeleton with the names of this game."""
        names = {
            "my-game": self.id,
            "my_game": self.module,
            "My Game": self.title if suffix == ".md" else json.dumps(self.title, ensure_ascii=False)[1:-1],
            "MyGame": self.state,
            "MG": self.code.upper(),
            "mg": self.code,
        }
        pattern = rf"(?<![a-zA-Z])(?:{'|'.join(names)})(?![a-zA-Z])"
        return re.sub(pattern, lambda found: names[found[0]], text).replace("kernel=2,", f"kernel={VERSION},")


@in_plain_words
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("What it shall be called: my-game."))],
    lang: Lang,
    to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help=t("The folder to write; by default one of that name, here."))
    ] = None,
    title: Annotated[str, typer.Option(help=t("Its title for people; by default made of the name."))] = "",
    code: Annotated[
        str,
        typer.Option(metavar="XX", help=t("Two letters, as in the numbers of its rules; by default made of the name.")),
    ] = "",
    try_it: Annotated[
        bool, typer.Option("--try", help=t("Run its tests and the conformance suite at once (needs pytest)."))
    ] = False,
) -> None:
    t = room(lang)
    names = resolve_names(name, title, code, t)
    folder = (to or Path(names.id)).absolute()
    write(names, folder, t)
    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print(
        t("{title} is in {folder}: a small game that works. Make it yours.", title=names.title, folder=folder)
    )
    passed = conforms(names, folder, t) if try_it else True
    console.print(t("What next:"))
    for command in next_commands(names, folder):
        console.print(f"  {command}")
    if not passed:
        raise typer.Exit(1)


# -- names ----------------------------------------------------------------------------------------------------------
def resolve_names(name: str, title: str, code: str, t: Words) -> Names:
    """Returns the names of a new game; fails if one is taken."""
    chosen = id_of(name)
    if not chosen:
        fail(
            t(
                "{name} has no letters from a to z: try `veillee new-game my-game --title {name}`.",
                name=shlex.quote(name),
            )
        )
    module = chosen.replace("-", "_")
    if not module.isidentifier() or keyword.iskeyword(module):
        fail(t("{name} cannot be the name of a Python module: try {other}.", name=repr(module), other=f"game-{chosen}"))
    if len(chosen) > MAX_NAME_LENGTH:
        fail(t("{name} is too long a name: at most {n} letters.", name=repr(chosen), n=MAX_NAME_LENGTH))
    if (box := find(chosen)) is not None:
        fail(t("{name} is taken by {title}: try {other}.", name=chosen, title=t.name(box.title), other=f"{chosen}-2"))
    if module in RESERVED_MODULES or module in sys.stdlib_module_names or find_spec(module) is not None:
        fail(t("There is a Python module {name} already: try {other}.", name=module, other=f"{chosen}-game"))
    title = " ".join((title or (name if name != chosen else chosen.replace("-", " ").title())).split())
    if not title.isprintable() or len(title) > MAX_NAME_LENGTH:
        fail(t("A title is a line of at most {n} letters.", n=MAX_NAME_LENGTH))
    return Names(chosen, code_of(chosen, code.lower(), t), title)


def id_of(name: str) -> str:
    """Returns the name as in URLs: "L’Île au trésor" is l-ile-au-tresor."""
    plain = unicodedata.normalize("NFKD", name.casefold().translate(LETTERS))
    return re.sub(r"[^a-z0-9]+", "-", "".join(c for c in plain if not unicodedata.combining(c))).strip("-")


def code_of(chosen: str, wanted: str, t: Words) -> str:
    """Returns the requested code if it is free; without one, the first two letters of the name that are free."""
    letters = re.sub(r"[^a-z]", "", chosen)
    initials = "".join(word[0] for word in chosen.split("-") if word[0].isalpha())
    pairs = ["".join(pair) for row in (initials, letters) for pair in combinations(row, 2)]
    alphabet = [a + b for a in letters for b in "abcdefghijklmnopqrstuvwxyz"]
    free = next(code for code in [*pairs, *alphabet] if CODE.fullmatch(code) and find(code) is None)
    if wanted and not CODE.fullmatch(wanted):
        fail(t("{code} cannot be a code: it is two letters from a to z. Try {other}.", code=repr(wanted), other=free))
    if wanted and (box := find(wanted)) is not None:
        fail(t("The code {code} is taken by {title}: try {other}.", code=wanted, title=t.name(box.title), other=free))
    return wanted or free


# -- files ----------------------------------------------------------------------------------------------------------
def write(names: Names, folder: Path, t: Words) -> None:
    """Writes all files, or none."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        fail(t("{folder} is there already: say another one with --to.", folder=folder))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{names.id}-", dir=folder.parent) as place:
            made = Path(place) / names.id
            for path in files():
                target = made / names.put_in(path.relative_to(SKELETON).as_posix(), "")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(names.put_in(path.read_text(encoding="utf-8"), path.suffix), encoding="utf-8")
            keep_games(names, made)
            if folder.exists():
                folder.rmdir()
            made.rename(folder)
    except OSError as error:
        fail(t("{file} cannot be written: {reason}.", file=folder, reason=error.strerror))


def files() -> Iterator[Path]:
    for path in sorted(SKELETON.rglob("*")):
        if path.is_file() and not set(LEFT_OUT) & set(path.parts):
            yield path


def keep_games(names: Names, folder: Path) -> None:
    """Records the golden games; they depend on the game's name, so the skeleton cannot contain them."""
    played = python(folder, "-m", "veillee.conformance.golden", names.id, quiet=True)
    if played.returncode:
        fail(played.stderr, played.returncode)


def suite(names: Names) -> list[str]:
    """Returns the arguments of Python that run its own tests and the conformance suite, from its folder."""
    return ["-m", "pytest", "-p", "pytest_veillee", "--pyargs", "tests", "veillee.conformance", "--game", names.id]


def conforms(names: Names, folder: Path, t: Words) -> bool:
    if find_spec("pytest") is None:
        sentence = t("pytest is not installed here: it is what the tests are run with.")
        Console(stderr=True, highlight=False, markup=False, soft_wrap=True).print(sentence)
        return False
    return python(folder, *suite(names)).returncode == 0


def python(folder: Path, *arguments: str, quiet: bool = False) -> subprocess.CompletedProcess[str]:
    """Runs this Python with this Veillée in the folder of a game."""
    here = [str(Path(path).absolute()) for path in sys.path if path]
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(here),
        "PYTHONDONTWRITEBYTECODE": "1",
        BOX_PATH_VARIABLE: str(folder),
    }
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=env, check=False, capture_output=quiet, text=True)  # noqa: S603 (ourselves)


# -- tests and next commands ----------------------------------------------------------------------------------------
def next_commands(names: Names, folder: Path) -> list[str]:
    """Returns the next commands as they are typed on this system."""
    veillee = on_the_path("veillee", Path(sys.argv[0]).absolute())
    python = on_the_path("python", Path(sys.executable))
    if not Path(sys.argv[0]).name.startswith("veillee"):
        veillee = f"{python} -m veillee"
    return [
        f"cd {shlex.quote(os.path.relpath(folder))}",
        f"{veillee} --with . play {names.id}",
        f"{veillee} --with . serve --dev --open",
        shlex.join([*suite(names)]).replace("-m pytest", f"{python} -m pytest", 1),
    ]


def on_the_path(name: str, program: Path) -> str:
    """Returns the command's name if the PATH leads to this one; otherwise its path."""
    found = shutil.which(name)
    return name if found and Path(found) == program else shlex.quote(str(program))


new_game.__doc__ = t("Begin a game of your own: a package with a small game that works, and its tests.")
