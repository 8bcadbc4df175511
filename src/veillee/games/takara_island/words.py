"""Words of Takara Island: choices, questions, reasons, log and final account."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.games.box import Line, Wordless
from veillee.games.takara_island import rules as ti
from veillee.games.takara_island.content import SPECIALISTS, TILES, TITLES
from veillee.kernel.log import END, NO_SEAT, Event
from veillee.words import Words

# The kinds of events by chapter.
LOOKS = (ti.OBSERVES, ti.LOOKED, ti.ROCKFALL_MET, ti.MONSTER_SHOWN, ti.OBSERVED_ALL, ti.PEEKS)
FIGHTS = (
    ti.FIGHT,
    ti.DIE,
    ti.REPELLED,
    ti.BEATEN,
    ti.OPENED,
    ti.MIMIC_BEATEN,
    ti.MIMIC_BACK,
    ti.MIMIC_GONE,
    ti.MAP_READ,
)
PLACES = (ti.DESTROYED, ti.GAMBLED, ti.TILE_SOLD, ti.TOKEN_BOUGHT, ti.HIRED, ti.IMITATED, ti.MINER_SENT)
DAYS = (ti.FIRST, ti.SWORD_RENTED, ti.STOPPED, ti.RECRUITED, ti.CARED, ti.RESTING, ti.RESTED, ti.LEFT)
ENDS = (ti.STONE_LOST, ti.BOTH_STONES, ti.TITLED, END)


def tile_name(tile: int, t: Words) -> str:
    """The name of a tile with what is printed on it: "Goblin (2 lives: 10 Karas, 1 XP)"."""
    row = TILES[tile]
    name = t.name(row.name)
    if row.kind == "monster":
        prize = ", ".join(part for part in (karas(row.karas, t) if row.karas else "", f"{row.xp} XP") if part)
        return t.tn("{name} ({n} life: {prize})", "{name} ({n} lives: {prize})", row.lives, name=name, prize=prize)
    return name


def karas(n: int, t: Words) -> str:
    return t.tn("{n} Kara", "{n} Karas", n)


def specialist(i: int, t: Words) -> str:
    return t.name(SPECIALISTS[i].name)


def label(g: ti.Takara, seat: int, action: int, t: Words) -> str:
    verb, args = g.choice(action)
    if verb == "observe":
        return t("Observe site {site}", site=args["site"] + 1)
    if verb == "work":
        return _work(g, args["site"], t)
    if verb == "sell":
        return t("Sell a tile of {xp} XP (+{n} Karas)", xp=args["xp"], n=ti.KARAS_PER_XP * args["xp"])
    if verb == "hire":
        return _hire(g, args["specialist"], t)
    if verb == "site":
        return t("Site {site}", site=args["site"] + 1)
    if verb == "depth":
        above = args["above"]
        return t.tn("Below the first tile", "Below the first {n} tiles", above) if above else t("From the top")
    if verb == "care":
        n = args["adventurers"]
        if n == 0:
            return t("Pay for nobody")
        return t.tn("Care for {n} adventurer (−2 Karas)", "Care for {n} adventurers (−{price} Karas)", n, price=2 * n)
    if verb == "go_on" and isinstance(g.question, ti.Peek):
        return t.tn("Put the tile back", "Put the tiles back", g.question.tiles())
    plain = {
        "stop": t("Stop here: end the day"),
        "den": t("Go to the Gambling den (+1 Kara)"),
        "buy": t("Buy an XP token (−5 Karas, +2 XP)"),
        "no_sword": t("Leave the Sword at the Forge"),
        "rent": t("Rent the Sword (−3 Karas)"),
        "go_on": t("Continue"),
        "turn_up": t("Reveal it (+2 Karas)"),
        "take_karas": t("Discard the map (+5 Karas)"),
        "keep_map": t("Keep the map (+2 XP)"),
        "no_recruit": t("Not now"),
        "recruit": t("Take the recruit (−5 Karas)"),
    }
    return plain[verb]


def _work(g: ti.Takara, site: int, t: Words) -> str:
    top = g.sites[site].top_up()
    if top == ti.NO_TILE:
        return t("Dig at site {site}", site=site + 1)
    if ti.KIND[top] == ti.ROCKFALL_TILE:
        return t("Destroy the rockfall of site {site} with two adventurers", site=site + 1)
    return t("Fight at site {site}: {monster}", site=site + 1, monster=tile_name(top, t))


def _hire(g: ti.Takara, skill: int, t: Words) -> str:
    price = g.price(skill)
    if skill == ti.IMITATOR:
        n = ti.PRICE[skill]
        return t("Hire: {imitator} (−{n} Karas and the copied price)", imitator=specialist(skill, t), n=n)
    if g.holder[skill] == NO_SEAT:
        return t("Hire: {specialist} (−{price} Karas)", specialist=specialist(skill, t), price=price)
    return t(
        "Hire: {imitator}, as {specialist} (−{price} Karas)",
        imitator=specialist(ti.IMITATOR, t),
        specialist=specialist(skill, t),
        price=price,
    )


def question(g: ti.Takara, seat: int, t: Words) -> tuple[str, str]:
    step = g.question
    if isinstance(step, ti.Forge):
        return t("Do you rent the Sword for this turn?"), "TI-2.1"
    if isinstance(step, ti.Act):
        ready = g.teams[step.seat].ready
        return t.tn("What does your last adventurer do?", "{n} adventurers are ready: what next?", ready), "TI-2.2"
    if isinstance(step, ti.Look):
        return _look(g, seat, step, t), "TI-3.1"
    if isinstance(step, ti.Peek):
        return _peek(step, t), step.rule()
    if isinstance(step, ti.Target):
        rules = ("TI-8.3", "TI-8.5", "TI-8.4")
        return t("{specialist}: at which site?", specialist=specialist(step.skill, t)), rules[step.skill]
    if isinstance(step, ti.Depth):
        return t("At which depth do you look at three tiles?"), "TI-8.4"
    if isinstance(step, ti.ReadMap):
        return t("The map: 5 Karas now, or 2 XP at the end?"), "TI-11.1"
    if isinstance(step, ti.Beach):
        return t("Do you pay 5 Karas for your recruit?"), "TI-10.1"
    if isinstance(step, ti.Hospital):
        return t("For how many injured adventurers do you pay 2 Karas?"), "TI-10.2"
    return "", ""


def _look(g: ti.Takara, seat: int, step: ti.Look, t: Words) -> str:
    """TI-3.5 What is seen is said to the one who looks, and to nobody else."""
    if seat != step.seat or seat not in g.to_act:
        return t("A look into site {site}.", site=step.site + 1)
    tile = g.sites[step.site].tiles[step.place]
    if ti.KIND[tile] == ti.MONSTER_TILE:
        return t("You see: {tile}. Reveal it (+2 Karas), or continue?", tile=tile_name(tile, t))
    return t("You see: {tile}. Go on?", tile=tile_name(tile, t))


def _peek(step: ti.Peek, t: Words) -> str:
    return t.tn(
        "Look as long as you like at the tile of site {site}.",
        "Look as long as you like at the tiles of site {site}.",
        step.tiles(),
        site=step.site + 1,
    )


def why(g: ti.Takara, seat: int, action: int, rule: str, t: Words) -> str:
    verb, args = g.choice(action)
    if not g.takes(seat, action):
        return _misplaced(g, seat, verb, t)
    if verb == "observe":
        return _why_not_observe(g.sites[args["site"]], rule, t)
    if verb == "work":
        if rule == "TI-4.1":
            return t("This site is empty.")
        if rule == "TI-5.1":
            return t("A rockfall takes two available adventurers.")
        return t("A monster can only be fought with the Sword.")
    if verb in ("sell", "buy") and g.traded:
        return t("You have already been at the Counter in this turn.")
    if verb == "sell":
        return t("You have no tile of {xp} XP to sell.", xp=args["xp"])
    if verb == "buy":
        return (
            t("No XP token is left.")
            if rule == "TI-1.5"
            else t("An XP token costs 5 Karas, you have {have}.", have=g.teams[seat].karas)
        )
    if verb == "hire":
        return _why_not_hire(g, seat, args["specialist"], rule, t)
    if verb == "rent":
        return _no_sword_now(g, seat, t)
    if verb == "recruit":
        return _no_recruit_now(g, seat, t)
    if verb == "turn_up":
        return t("Only a monster may be revealed.") if rule == "TI-3.3" else t("A specialist reveals nothing.")
    if verb == "site":
        return _why_not_site(g.sites[args["site"]], rule, t)
    if verb == "depth":
        return t("All the tiles there are face up already.")
    if args["adventurers"] > g.teams[seat].hurt:
        return t.tn("Only one adventurer is injured.", "Only {n} adventurers are injured.", g.teams[seat].hurt)
    n = args["adventurers"]
    return t("{n} adventurers cost {price} Karas, you have {have}.", n=n, price=2 * n, have=g.teams[seat].karas)


def _misplaced(g: ti.Takara, seat: int, verb: str, t: Words) -> str:
    """When such an answer is given."""
    if verb in ("stop", "observe", "work", "den", "sell", "buy", "hire"):
        if isinstance(g.question, ti.Forge):
            return t("First say whether you rent the Sword: the adventurers act after that.")
        if isinstance(g.question, ti.Beach | ti.Hospital):
            return t("The adventurers have done their work: the day is ending.")
        return t("One action at a time: finish this one first.")
    if verb in ("no_sword", "rent"):
        return _no_sword_now(g, seat, t)
    if verb == "go_on":
        return t("One goes on, or puts the tiles back, while looking at the tiles of a site.")
    if verb == "turn_up":
        return t("A monster is revealed when it is seen during an observation.")
    if verb == "site":
        return t("A site is chosen for a specialist who has just been hired.")
    if verb == "depth":
        if isinstance(g.question, ti.Depth):
            return t("The Diviner looks at three tiles: from there on there are fewer.")
        return t("A depth is chosen for the Diviner, once the site is.")
    if verb in ("take_karas", "keep_map"):
        return t("The map is read when it comes out of a chest.")
    if verb in ("no_recruit", "recruit"):
        return _no_recruit_now(g, seat, t)
    return t("The injured are cared for at the end of the day, for 2 Karas each.")


def _no_sword_now(g: ti.Takara, seat: int, t: Words) -> str:
    """The first reason that is true: as long as no adventurer has been sent out, it is the price."""
    have = g.teams[seat].karas
    if seat == g.active and not g.sword and not any(g.at) and have < ti.SWORD_PRICE:
        return t("The Sword costs 3 Karas, you have {have}.", have=have)
    return t("The Sword can only be rented at the very start of the turn, for 3 Karas.")


def _no_recruit_now(g: ti.Takara, seat: int, t: Words) -> str:
    if g.teams[seat].recruit:
        return t("The recruit costs 5 Karas, to be paid once the adventurers have been used and before the hospital.")
    return t("Your recruit is on the team already: there is only one.")


def _why_not_observe(site: ti.Site, rule: str, t: Words) -> str:
    if len(site.tiles) == 0:
        return t("This site is empty.")
    if rule == "TI-3.1":
        return t("No face-down tile would be seen there.")
    return t("Nobody can look below the tile that lies face up there.")


def _why_not_site(site: ti.Site, rule: str, t: Words) -> str:
    if len(site.tiles) == 0:
        return t("This site is empty.")
    if rule == "TI-8.3":
        return t("The Miner does not go where a monster is on top.")
    return t("All the tiles in reach there are face up already.")


def _why_not_hire(g: ti.Takara, seat: int, skill: int, rule: str, t: Words) -> str:
    if rule == "TI-8.1":
        if g.has_specialist(seat):
            return t("You already have a specialist in front of you.")
        return t("There is nothing to do for this specialist now.")
    if skill == ti.IMITATOR:
        if rule == "TI-8.2":
            return t("The Imitator is with another player.")
        if all(holder == NO_SEAT for holder in g.holder):
            return t("Nobody has a specialist that the Imitator could copy.")
        return t("Say whom the Imitator copies: choose the specialist that another player has.")
    if rule == "TI-8.2":
        return t("{specialist} is with another player, and so is the Imitator.", specialist=specialist(skill, t))
    return t(
        "{specialist} costs {price} Karas, you have {have}.",
        specialist=specialist(skill, t),
        price=g.price(skill),
        have=g.teams[seat].karas,
    )


def gives_up(g: ti.Takara, seat: int, action: int, t: Words) -> str:
    """TI-2.2 Adventurers who have done nothing: even the Gambling den pays each of them."""
    verb, _ = g.choice(action)
    if verb != "stop":
        return ""
    return t.tn(
        "{n} adventurer has done nothing today, and goes home empty-handed.",
        "{n} adventurers have done nothing today, and go home empty-handed.",
        g.teams[seat].ready,
    )


def event(e: Event, names: Sequence[str], t: Words) -> str:
    who = names[e.seat] if e.seat >= 0 else ""
    if e.kind is ti.DUG:
        return _dug(e, who, t)
    if e.kind is ti.MINER_DUG:
        return _mined(e, who, t)
    if e.kind in LOOKS:
        return _looked(e, who, t)
    if e.kind in FIGHTS:
        return _fought(e, who, t)
    if e.kind in PLACES:
        return _went(e, who, names, t)
    if e.kind in DAYS:
        return _lived(e, who, t)
    if e.kind in ENDS:
        return _ended(e, who, t)
    if e.kind is ti.GLANCED or e.kind is ti.PEEKED:  # by heart, the log remembers nothing
        return ""
    raise Wordless(e)


def together(events: Sequence[Event], names: Sequence[str], t: Words) -> str:
    """What is shown together, in one sentence: of a fight against whom, for one sees the dice."""
    return " ".join(event(e, names, t) for e in events if e.kind is not ti.DIE)


def _dug(e: Event, who: str, t: Words) -> str:
    values = {"who": who, "site": e.site + 1, "tile": tile_name(e.tile, t)}
    if e.rule == "TI-4.3":
        return t("{who} digs at site {site}: a rockfall. The adventurer is stuck for this turn.", **values)
    if e.rule == "TI-4.4":
        return t("{who} digs at site {site}: {tile}. The adventurer is injured.", **values)
    if e.rule == "TI-4.5":
        return t("{who} digs at site {site}: {tile}. The Sword protects the adventurer.", **values)
    if ti.INJURY[e.tile]:
        return t("{who} digs at site {site}: {tile}. The adventurer goes to the hospital.", **values)
    if e.rule == "TI-4.8":
        return t("{who} digs at site {site} and finds a Legend Stone!", **values)
    return t("{who} digs at site {site}: {tile}.", **values)


def _mined(e: Event, who: str, t: Words) -> str:
    values = {"who": who, "site": e.site + 1, "tile": tile_name(e.tile, t)}
    kind = ti.KIND[e.tile]
    if kind == ti.MONSTER_TILE:
        return t("The Miner comes upon a monster at site {site} and stops: {tile}.", **values)
    if kind in (ti.ROCKFALL_TILE, ti.KARAS_TILE):
        return t("The Miner destroys a tile of site {site}: {tile}.", **values)
    return t("The Miner digs up a tile of site {site} for {who}: {tile}.", **values)


def _looked(e: Event, who: str, t: Words) -> str:
    values = {"who": who, "site": e.site + 1}
    if e.kind is ti.OBSERVES:
        return t("{who} observes site {site}.", **values)
    if e.kind is ti.LOOKED:
        return t("{who}, site {site}, tile {place}: {tile}.", place=e.above + 1, tile=tile_name(e.tile, t), **values)
    if e.kind is ti.ROCKFALL_MET:
        return t("{who} comes upon a rockfall at site {site} and reveals it (+2 Karas).", **values)
    if e.kind is ti.MONSTER_SHOWN:
        return t("{who} reveals a monster at site {site} (+2 Karas): {tile}.", tile=tile_name(e.tile, t), **values)
    if e.kind is ti.OBSERVED_ALL:
        return t.tn(
            "{who} has looked at {n} tile of site {site}.",
            "{who} has looked at {n} tiles of site {site}.",
            e.looked,
            **values,
        )
    first, last = e.above + 1, e.above + e.tiles
    if first == last:
        return t("{who} looks at tile {first} of site {site}.", first=first, **values)
    return t("{who} looks at tiles {first} to {last} of site {site}.", first=first, last=last, **values)


def _fought(e: Event, who: str, t: Words) -> str:
    if e.kind is ti.FIGHT:
        return t("{who} fights at site {site}: {tile}.", who=who, site=e.site + 1, tile=tile_name(e.monster, t))
    if e.kind is ti.DIE:
        return t("The die shows a sword.") if e.sword else t("The die shows the hospital.")
    if e.kind is ti.REPELLED:
        return t("{who}'s attack fails: the adventurer is injured.", who=who)
    if e.kind is ti.BEATEN:
        tile = tile_name(e.monster, t)
        return t("{who} defeats the monster at site {site}: {tile}.", who=who, site=e.site + 1, tile=tile)
    if e.kind is ti.OPENED:
        if e.tile == ti.MIMIC:
            return t("{who} opens a chest: the Mimic! It must be fought.", who=who)
        return t("{who} opens a chest: {tile}.", who=who, tile=tile_name(e.tile, t))
    if e.kind is ti.MIMIC_BEATEN:
        return t("{who} beats the Mimic and draws another chest tile.", who=who)
    if e.kind is ti.MIMIC_GONE:
        return t("The Mimic leaves the game, and nobody is hurt.")
    if e.kind is ti.MIMIC_BACK:
        if e.place == ti.PORT_PLACE:
            return t("The Mimic goes back among the chests.")
        return t("The Mimic goes back among the chests; the adventurer of {who} is injured.", who=who)
    return t("{who} keeps the map.", who=who) if e.kept else t("{who} takes 5 Karas for the map.", who=who)


def _went(e: Event, who: str, names: Sequence[str], t: Words) -> str:
    if e.kind is ti.DESTROYED:
        site, n = e.site + 1, e.karas
        return t("{who} destroys the rockfall of site {site} and takes {n} Karas.", who=who, site=site, n=n)
    if e.kind is ti.GAMBLED:
        return t("{who} sends an adventurer to the Gambling den: 1 Kara.", who=who)
    if e.kind is ti.TILE_SOLD:
        return t("{who} sells a tile for {n} Karas: {tile}.", who=who, tile=tile_name(e.tile, t), n=e.karas)
    if e.kind is ti.TOKEN_BOUGHT:
        return t("{who} buys an XP token for 5 Karas.", who=who)
    if e.kind is ti.HIRED:
        name = specialist(e.specialist, t)
        return t("{who} hires for {n} Karas: {specialist}.", who=who, n=e.price, specialist=name)
    if e.kind is ti.IMITATED:
        return t(
            "{who} hires the Imitator for {n} Karas, to copy {whose}'s specialist: {specialist}.",
            who=who,
            n=e.price,
            whose=names[e.holder],
            specialist=specialist(e.specialist, t),
        )
    return t("{who} sends the Miner to site {site}.", who=who, site=e.site + 1)


def _lived(e: Event, who: str, t: Words) -> str:
    if e.kind is ti.FIRST:
        return t("{who} plays first.", who=who)
    if e.kind is ti.SWORD_RENTED:
        return t("{who} rents the Sword.", who=who)
    if e.kind is ti.STOPPED:
        return t.tn("{who} stops: {n} adventurer unused.", "{who} stops: {n} adventurers unused.", e.unused, who=who)
    if e.kind is ti.RECRUITED:
        return t("{who} pays 5 Karas for the recruit.", who=who)
    if e.kind is ti.CARED:
        return t.tn(
            "{who} pays for the care of {n} adventurer.",
            "{who} pays for the care of {n} adventurers.",
            e.adventurers,
            who=who,
        )
    if e.kind is ti.RESTING:
        return t.tn(
            "One of {who}'s adventurers stays in the recovery room.",
            "{n} of {who}'s adventurers stay in the recovery room.",
            e.adventurers,
            who=who,
        )
    if e.kind is ti.RESTED:
        return t.tn(
            "One of {who}'s adventurers comes back from the recovery room.",
            "{n} of {who}'s adventurers come back from the recovery room.",
            e.adventurers,
            who=who,
        )
    return t("Back to the Port: {specialist}.", specialist=specialist(e.specialist, t))


def _ended(e: Event, who: str, t: Words) -> str:
    if e.kind is ti.STONE_LOST:
        return t("{who} discards the only Legend Stone found: alone, it is worth nothing.", who=who)
    if e.kind is ti.BOTH_STONES:
        return t("{who} holds both Legend Stones and wins at once!", who=who)
    if e.kind is ti.TITLED:
        return t("{who}, with {xp} XP: {title}.", who=who, xp=e.xp, title=t.name(TITLES[e.title].name))
    endings = {
        "TI-12.0": t("The game is over: 400 turns have been played."),
        "TI-12.1": t("Four sites are empty and no Legend Stone was found: everybody loses."),
        "TI-12.2": t("The game is over: five sites are empty and only one Legend Stone was found."),
        "TI-12.3": t("The game is over: both Legend Stones are found."),
    }
    return endings[e.rule]


def account(g: ti.Takara, events: Sequence[Event], names: Sequence[str], t: Words) -> list[list[Line]]:
    """TI-12.4 Where the XP came from."""
    if g.ending == ti.BANISHED:
        return [[Line("TI-12.1", t("Everybody loses: no points"), 0)] for _ in g.teams]
    return [_lines(team, t) for team in g.teams]


def _lines(team: ti.Team, t: Words) -> list[Line]:
    sums: dict[int, int] = {}
    for tile in team.won:
        kind = ti.KIND[tile]
        sums[kind] = sums.get(kind, 0) + ti.XP[tile]
    titles = {
        ti.XP_TILE: t("XP tiles"),
        ti.MONSTER_TILE: t("Monsters beaten"),
        ti.TREASURE_TILE: t("Treasures of the chests"),
        ti.STONE_TILE: t("Legend Stones"),
    }
    lines = [Line("TI-12.4", titles[kind], sums[kind]) for kind in titles if kind in sums]
    if team.tokens:
        lines.append(Line("TI-7.2", t("XP tokens"), team.tokens * ti.TOKEN_XP))
    lines.append(Line("TI-12.4", karas(team.karas, t), team.karas // ti.KARAS_PER_XP))
    return lines
