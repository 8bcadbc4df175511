"""Creates a match: checks the game, the number of seats, the seed and the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veillee.games import catalogue
from veillee.games.box import Box, Options
from veillee.match import seeds
from veillee.match.errors import Unknown, quote, t
from veillee.match.match import Match
from veillee.match.owner_content import missing


def new(
    game: str, seats: int | None = None, seed: int | bytes | None = None, luck: Sequence[str] = (), **options: str
) -> Match:
    """Creates a match. The same seed, seats, luck and options give the same match; without a seed a secret one is
    drawn.
    """
    return start(game, seats, seed, luck, options)


def start(
    game: str,
    seats: int | None,
    seed: int | bytes | None,
    luck: Sequence[str],
    options: Mapping[str, str],
    version: int | None = None,
    contributions: Sequence[seeds.Contribution] = (),
) -> Match:
    """Creates a match under a version of the rules; None: the present one. Raises Unknown."""
    box, seats = check_seats(game, seats)
    if isinstance(seed, bytes):
        if len(seed) != seeds.SEED_BYTES:
            raise Unknown(t("A seed has {bytes} bytes, not {n}.", bytes=seeds.SEED_BYTES, n=len(seed)))
        secret = seed
    else:
        secret = seeds.new_seed() if seed is None else seeds.seed_from(seed)
    if version is not None and version not in box.versions:
        raise Unknown(
            t(
                "It was played under version {then} of the rules; these are version {now}.",
                then=quote(version),
                now=box.version,
            )
        )
    agreed = complete(box, options, begun=version is not None, version=version)
    return Match(box, seats, agreed, secret, luck, version, contributions)


def check_seats(game: str, seats: int | None) -> tuple[Box, int]:
    """Returns the box of that name, and the number of seats: the usual one by default. Raises Unknown."""
    box = catalogue.find(game)
    if box is None:
        raise Unknown(
            t("There is no game {game}. On the shelf: {known}.", game=quote(game), known=", ".join(catalogue.BOXES))
        )
    seats = box.usual if seats is None else seats
    if seats not in box.players:
        fewest, most = box.players[0], box.players[-1]
        raise Unknown(
            t("{title} is for {fewest} to {most} players, not {n}.", title=box.title, fewest=fewest, most=most, n=seats)
        )
    return box, seats


def complete(box: Box, options: Mapping[str, str], *, begun: bool = False, version: int | None = None) -> Options:
    """Returns the options of a table, checked, with defaults filled in. Raises Unknown.

    A game that has `begun` and names no content uses the built-in one, even if an owner has added content since. A game
    of an earlier rules version has the options of that version.
    """
    if (why := missing(box, options)) is not None:
        raise Unknown(why)
    rules = box.version if version is None else version
    known = {option.id: option.values for option in box.options if option.since <= rules}
    if box.contents is not None:
        content = box.contents.option
        if content.id in options or (box.contents.own and not begun):
            known[content.id] = content.values | {id_: one.names for id_, one in box.contents.sets.items()}
    for name, value in options.items():
        if name not in known:
            if not known:
                raise Unknown(
                    t("{title} has no option {option}: it has no options.", title=box.title, option=quote(name))
                )
            names = ", ".join(known)
            raise Unknown(
                t(
                    "{title} has no option {option}: its options are {names}.",
                    title=box.title,
                    option=quote(name),
                    names=names,
                )
            )
        if not isinstance(value, str) or value not in known[name]:
            values = ", ".join(known[name])
            raise Unknown(
                t(
                    "The option {option} is one of {values}, not {value}.",
                    option=quote(name),
                    values=values,
                    value=quote(value),
                )
            )
    return {name: options.get(name, next(iter(values))) for name, values in known.items()}
