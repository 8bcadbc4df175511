"""Words of Tales of Glory: choices, questions, reasons, log and final account."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from veillee.games.box import Line, Wordless
from veillee.games.tales_of_glory import rules as tg
from veillee.games.tales_of_glory.content import tile_of
from veillee.kernel.log import END, NO_SEAT, Event
from veillee.words import Words


def tile_name(code: int, t: Words) -> str:
    return t.name(tile_of(code).names)


def side_name(side: int, t: Words) -> str:
    return (t("top"), t("right"), t("bottom"), t("left"))[side]


def amount(kind: int, n: int, t: Words) -> str:
    """So many of a resource."""
    if kind == tg.COINS:
        return t.tn("{n} coin", "{n} coins", n)
    if kind == tg.POTIONS:
        return t.tn("{n} potion", "{n} potions", n)
    if kind == tg.PRESTIGE:
        return t.tn("{n} Prestige", "{n} Prestige", n)
    if kind == tg.COMBAT:
        return t.tn("{n} combat", "{n} combat", n)
    if kind == tg.MAGIC:
        return t.tn("{n} magic", "{n} magic", n)
    if kind == tg.KEY:
        return t.tn("{n} key", "{n} keys", n)
    return t("the first-player token")


def resource(kind: int, t: Words) -> str:
    return (t("coins"), t("potions"), t("Prestige"), t("combat"), t("magic"), t("keys"), t("first-player token"))[kind]


def multiplier(per: int, t: Words) -> str:
    return (
        "",
        t("per Place"),
        t("per Monster"),
        t("per Treasure"),
        t("per Character"),
        t("per key placed"),
        t("per combat"),
        t("per magic"),
        t("per majority"),
        t("per 3 coins"),
        t("per 3 potions"),
        t("per tile with 4 neighbours"),
        t("per closed chest"),
    )[per]


def gain_text(gain: tg.Gain, t: Words) -> str:
    """One gain, as a person would read it off the tile."""
    text = t(" and ").join(amount(kind, n, t) for kind, n in zip(gain.kinds, gain.amounts, strict=True))
    if gain.per != tg.ONCE:
        text = f"{text} {multiplier(gain.per, t)}"
    return t("at the end: {gain}", gain=text) if gain.at_end else text


def gains_text(gains: Iterable[tg.Gain], t: Words) -> str:
    return ", ".join(gain_text(gain, t) for gain in gains)


def price(coins: int, potions: int, t: Words, sign: str = "−") -> str:
    """What a tile costs; `sign`: before each part on a button, nothing in a sentence with "pays"."""
    parts = [amount(kind, n, t) for kind, n in ((tg.COINS, coins), (tg.POTIONS, potions)) if n]
    return ", ".join(f"{sign}{part}" for part in parts)


def cell_name(action: int, t: Words) -> str:
    """A cell, counted from the hero: "2 to the right, 1 up"."""
    return offset_name(*tg.offset(action - tg.PUT), t)


def offset_name(x: int, y: int, t: Words) -> str:
    parts = []
    if x:
        parts.append(t("{n} to the right", n=x) if x > 0 else t("{n} to the left", n=-x))
    if y:
        parts.append(t("{n} down", n=y) if y > 0 else t("{n} up", n=-y))
    return ", ".join(parts) or t("the hero's own place")


def label(g: tg.TalesOfGlory, seat: int, action: int, t: Words) -> str:
    a = g.adventurers[seat]
    if action < tg.TAKE:
        return _slot_label(g, action - tg.SELECT, t)
    if action < tg.PLAY:
        return _slot_label(g, action - tg.TAKE, t)
    if action < tg.DISCARD:
        return _play_label(g, a, a.taken, action - tg.PLAY, t)
    if action == tg.DISCARD:
        return t("Discard “{tile}” (+1 coin, +1 potion, +1 key)", tile=tile_name(g.named(a.taken), t))
    if action == tg.DONE:
        return t("No quest now")
    if action < tg.DROP:
        return _play_label(g, a, action - tg.QUEST + tg.FIRST_QUEST, tg.NOTHING, t)
    if action < tg.OPEN:
        return t("Give up “{tile}”", tile=tile_name(g.named(action - tg.DROP + tg.FIRST_QUEST), t))
    if action < tg.PUT:
        chest = action - tg.OPEN
        source = chest // 2 * tg.SOURCES + tg.CHEST + chest % 2
        content = gains_text(g.tiles.gains[source], t)
        name = tile_name(g.named(chest // 2), t)
        if g.tiles.chests[chest // 2] > 1:
            return t("Chest {n} of “{tile}”: {gain}", n=chest % 2 + 1, tile=name, gain=content)
        return t("The chest of “{tile}”: {gain}", tile=name, gain=content)
    return cell_name(action, t)


def _slot_label(g: tg.TalesOfGlory, slot: int, t: Words) -> str:
    tile = g.slots[slot]
    if tile == tg.NO_TILE:
        return t("Slot {n}, empty", n=slot + 1)
    return t("Slot {n}: {tile}", n=slot + 1, tile=tile_name(g.named(tile), t))


def _play_label(g: tg.TalesOfGlory, a: tg.Adventurer, tile: int, extra: int, t: Words) -> str:
    coins = g.tiles.coins[tile] + (extra == tg.A_COIN)
    potions = g.tiles.potions[tile] + a.missing(g.tiles, tile) + (extra == tg.A_POTION)
    name = tile_name(g.named(tile), t)
    if coins + potions == 0:
        return t("Play “{tile}” for free", tile=name)
    return t("Play “{tile}” ({price})", tile=name, price=price(coins, potions, t))


def question(g: tg.TalesOfGlory, seat: int, t: Words) -> tuple[str, str]:
    step = g.asked(seat)
    if isinstance(step, tg.Selection):
        return t("Which tile do you select, in secret?"), "TG-2.1"
    if isinstance(step, tg.CatchUp):
        return t("Your tile is gone: which of the others do you take?"), "TG-2.3"
    if isinstance(step, tg.PlayTile):
        a = g.adventurers[seat]
        if g.is_wild(a.slot):
            return t("Do you play your tile? In the wild lands it costs 1 coin or 1 potion more."), "TG-3.1.2"
        return t("Do you play your tile, or discard it?"), "TG-3.1.1"
    if isinstance(step, tg.LastQuests):
        return t("Do you play a quest now?"), "TG-6.2"
    if isinstance(step, tg.Placing):
        return t("Where does “{tile}” go?", tile=tile_name(g.named(step.tile), t)), "TG-3.2.2"
    if isinstance(step, tg.ConnectionKey):
        return t("Two halves make a key: which chest does it open?"), "TG-3.4.2"
    if isinstance(step, tg.AnyKey):
        return t("A key: which chest does it open?"), "TG-3.4.3"
    if isinstance(step, tg.DropQuest):
        return t("Which of the three quests do you give up?"), "TG-6.1"
    return "", ""


def why(g: tg.TalesOfGlory, seat: int, action: int, rule: str, t: Words) -> str:
    if not g.takes(seat, action):
        return _misplaced(g, seat, action, rule, t)
    a = g.adventurers[seat]
    if rule == "TG-2.3":
        return t("The tile of slot {n} has been taken.", n=action - tg.TAKE + 1)
    if rule == "TG-3.4.2":
        return t("A key from a connection opens a chest of the two connected tiles or of the hero only.")
    if action >= tg.PUT:
        return _why_not_there(g, seat, action - tg.PUT, rule, t)
    quest = tg.QUEST <= action < tg.DROP
    tile = action - tg.QUEST + tg.FIRST_QUEST if quest else a.taken
    if rule == "TG-3.2.4":
        return (
            t("No place of your zone fits “{tile}”: it can only be discarded.", tile=tile_name(g.named(tile), t))
            if (not quest)
            else t("No place of your zone fits “{tile}”.", tile=tile_name(g.named(tile), t))
        )
    if rule == "TG-3.1.2":
        return (
            t("You have no coin left for the wild lands.")
            if action == tg.PLAY + tg.A_COIN
            else t("You have no potion left for the wild lands.")
        )
    if rule == "TG-3.1.3":
        need = g.tiles.potions[tile] + a.missing(g.tiles, tile)
        return t.tn(
            "The missing combat or magic would take {n} potion in all, you have {have}.",
            "The missing combat or magic would take {n} potions in all, you have {have}.",
            need,
            have=a.potions,
        )
    if a.coins < g.tiles.coins[tile]:
        return t.tn(
            "“{tile}” costs {n} coin, you have {have}.",
            "“{tile}” costs {n} coins, you have {have}.",
            g.tiles.coins[tile],
            tile=tile_name(g.named(tile), t),
            have=a.coins,
        )
    return t.tn(
        "“{tile}” costs {n} potion, you have {have}.",
        "“{tile}” costs {n} potions, you have {have}.",
        g.tiles.potions[tile],
        tile=tile_name(g.named(tile), t),
        have=a.potions,
    )


def _misplaced(g: tg.TalesOfGlory, seat: int, action: int, rule: str, t: Words) -> str:
    """When such an answer is given, or why the thing it names is not there."""
    a = g.adventurers[seat]
    if rule == "TG-1.2":
        return t("With {players} players the board has {slots} slots.", players=len(g.adventurers), slots=len(g.slots))
    if rule == "TG-2.1":
        return t("Everyone selects a slot at the beginning of a round, at the same time.")
    if rule == "TG-2.3":
        return t("Only those whose selected tile is gone choose another one.")
    if rule == "TG-3.1.2":
        if action == tg.PLAY + tg.NOTHING:
            return t("A tile from the wild lands costs 1 coin or 1 potion more.")
        return t("Your tile does not come from the wild lands: nothing more is paid.")
    if rule == "TG-6.3":
        return t("First finish the tile that you are playing: its place, its keys and its gains.")
    if rule == "TG-3.0":
        return t("You play one tile a round, once everyone has taken one.")
    if rule == "TG-3.1.4":
        return t("Only the tile that you have taken can be discarded, instead of being played.")
    if action == tg.DONE:
        return t("You are asked this after your tile, while you hold quests.")
    if action < tg.OPEN:
        return _no_quest(g, a, action, t)
    if action < tg.PUT:
        return _no_chest(g, a, action - tg.OPEN, t)
    if not isinstance(g.asked(seat), tg.Placing):
        return t("A tile is placed as soon as it is paid for.")
    there = a.tile_at(action - tg.PUT)
    if there == tg.NO_TILE:
        return t("No tile of your zone is beside this place.")
    return t("“{tile}” lies there already.", tile=tile_name(g.named(there), t))


def _no_quest(g: tg.TalesOfGlory, a: tg.Adventurer, action: int, t: Words) -> str:
    if not g.with_quests:
        return t("This table plays without quests.")
    drop = action >= tg.DROP
    quest = action - (tg.DROP if drop else tg.QUEST) + tg.FIRST_QUEST
    if quest not in a.hand:
        return t("“{tile}” is not in your hand.", tile=tile_name(g.named(quest), t))
    if drop:
        return t("One quest is given up, before the first round.")
    return t("Quests are played with your tile: before it or after it.")


def _no_chest(g: tg.TalesOfGlory, a: tg.Adventurer, chest: int, t: Words) -> str:
    if chest in a.open:
        return t("This chest is open: a chest opens once.")
    if chest in a.shut:
        return t("A chest opens with a key, as soon as you have one.")
    name = tile_name(g.named(chest // 2), t)
    if a.has_laid(chest // 2):
        return t("“{tile}” has no such chest.", tile=name)
    return t("“{tile}” is not in your zone.", tile=name)


def _why_not_there(g: tg.TalesOfGlory, seat: int, cell: int, rule: str, t: Words) -> str:
    """Which side clashes, with which neighbour."""
    if rule == "TG-3.2.2":
        return t("No connector of the tile would meet a connector there.")
    a = g.adventurers[seat]
    step = g.asked(seat)
    sides = g.tiles.sides[step.tile] if isinstance(step, tg.Placing) else 0
    rim = a.rim_at(cell)
    for side in range(tg.SIDES):
        has = (sides >> side) & 1
        neighbour = a.tile_at(cell + tg.TOWARDS[side])
        if neighbour == tg.NO_TILE:
            continue
        name = tile_name(g.named(neighbour), t)
        if has and (rim >> tg.BAR >> side) & 1:
            return t("Its {side} connector would face a bare side of “{tile}”.", side=side_name(side, t), tile=name)
        if not has and (rim >> side) & 1:
            return t("Its bare {side} side would face a connector of “{tile}”.", side=side_name(side, t), tile=name)
    return ""


def gives_up(g: tg.TalesOfGlory, seat: int, action: int, t: Words) -> str:
    """TG-3.1.4 A tile that could be played is discarded. TG-6.2 After the last round a quest in hand is worth nothing."""
    a = g.adventurers[seat]
    legal = g.legal(seat)
    if action == tg.DISCARD and any(tg.PLAY <= other < tg.DISCARD for other in legal):
        return t("You could play “{tile}”: discarded, it is out of the game.", tile=tile_name(g.named(a.taken), t))
    if action == tg.DONE and g.round == tg.ROUNDS:
        quests = [other - tg.QUEST + tg.FIRST_QUEST for other in legal if tg.QUEST <= other < tg.DROP]
        if quests:
            names = ", ".join(tile_name(g.named(quest), t) for quest in quests)
            return t("This is the last round, and you could still play {quests}.", quests=names)
    return ""


def event(e: Event, names: Sequence[str], t: Words) -> str:
    who = names[e.seat] if e.seat >= 0 else ""
    if e.kind is tg.HERO_DEALT:
        return t("{who} sets out with “{tile}”.", who=who, tile=tile_name(e.tile, t))
    if e.kind is tg.FIRST:
        return t("{who} has the first-player token.", who=who)
    if e.kind is tg.OFFERED:
        return t("Slot {n} offers “{tile}”.", n=e.slot + 1, tile=tile_name(e.tile, t))
    if e.kind is tg.QUEST_DEALT:
        return t("You are dealt the quest “{tile}”.", tile=tile_name(e.tile, t))
    if e.kind is tg.QUEST_DROPPED:
        return t("You give up the quest “{tile}”.", tile=tile_name(e.tile, t))
    if e.kind is tg.SELECTED:
        return t("You select slot {n}.", n=e.slot + 1)
    if e.kind is tg.REVEALED:
        return t("{who} had selected slot {n}.", who=who, n=e.slot + 1)
    if e.kind is tg.TAKEN:
        return t("{who} takes “{tile}” from slot {n}.", who=who, tile=tile_name(e.tile, t), n=e.slot + 1)
    if e.kind is tg.QUEST_SHOWN:
        return t("{who} plays the quest “{tile}”.", who=who, tile=tile_name(e.tile, t))
    if e.kind is tg.PAID:
        if e.coins + e.potions == 0:
            return t("{who} pays nothing for “{tile}”.", who=who, tile=tile_name(e.tile, t))
        paid = price(e.coins, e.potions, t, sign="")
        return t("{who} pays {price} for “{tile}”.", who=who, price=paid, tile=tile_name(e.tile, t))
    if e.kind is tg.PLACED:
        cell = cell_name(tg.PUT + e.cell, t)
        return t("{who} places “{tile}” (from the hero: {cell}).", who=who, tile=tile_name(e.tile, t), cell=cell)
    if e.kind is tg.DISCARDED:
        return t("{who} discards “{tile}” for 1 coin, 1 potion and a key.", who=who, tile=tile_name(e.tile, t))
    if e.kind is tg.GAINED:
        tile = tile_name(e.source // tg.SOURCES, t)
        return t("{who} gains {gain} ({tile}).", who=who, gain=amount(e.resource, e.amount, t), tile=tile)
    if e.kind is tg.TOKEN_GAINED:
        return _token(e, who, names, t)
    if e.kind is tg.OPENED:
        return t("{who} opens a chest of “{tile}”.", who=who, tile=tile_name(e.tile, t))
    if e.kind is tg.ALL_PAID:
        return t("{who} has paid and placed everything.", who=who)
    if e.kind is tg.KEY_LOST:
        return t("{who} has no chest for a key: it is lost.", who=who)
    if e.kind is tg.SLOT_CLEARED:
        return t("“{tile}” leaves the central board.", tile=tile_name(e.tile, t))
    if e.kind is tg.ROUND:
        return t("Round {n} of 10 begins with {who}.", n=e.number, who=who)
    if e.kind is tg.MAJORITY_WON:
        return t("{who} has the most {resource}: {n} Prestige.", who=who, resource=resource(e.resource, t), n=e.points)
    if e.kind is END:
        return t("The game is over: ten rounds are played.")
    raise Wordless(e)


def together(events: Sequence[Event], names: Sequence[str], t: Words) -> str:
    """What is shown in one go, in one sentence."""
    first, kinds = events[0], {e.kind for e in events}
    if kinds == {tg.REVEALED}:
        picks = [t("{who} {n}", who=names[e.seat], n=e.slot + 1) for e in events]
        return t("The slots selected: {picks}.", picks=", ".join(picks))
    if kinds == {tg.OFFERED}:
        return t.tn("{n} new tile on the central board.", "{n} new tiles on the central board.", len(events))
    if kinds == {tg.SLOT_CLEARED}:
        tiles = ", ".join(t("“{tile}”", tile=tile_name(e.tile, t)) for e in events)
        return t("{tiles} leave the central board.", tiles=tiles)
    if tg.GAINED in kinds:
        return _gains(events, names[first.seat], names, t)
    return ""


def _gains(events: Sequence[Event], who: str, names: Sequence[str], t: Words) -> str:
    """Returns what a player did, with the sum of its gains; then its other effects."""
    sums: dict[int, int] = {}
    for e in events:
        if e.kind is tg.GAINED:
            sums[e.resource] = sums.get(e.resource, 0) + e.amount
    gain = ", ".join(amount(kind, n, t) for kind, n in sums.items())
    told = [event(e, names, t) for e in events if e.kind is not tg.GAINED]
    if not told:
        return t("{who} gains {gain}.", who=who, gain=gain)
    return " ".join([t("{done}: {gain}.", done=told[0].removesuffix("."), gain=gain), *told[1:]])


def _token(e: Event, who: str, names: Sequence[str], t: Words) -> str:
    """TG-4.3 What is known of the token at this moment: somebody later in turn order may still gain it."""
    if e.keeper == NO_SEAT:
        return t("{who} gains the first-player token, but no round is left for it.", who=who)
    if e.keeper != e.seat:
        keeper = names[e.keeper]
        return t(
            "{who} gains the first-player token, but {keeper} keeps it: later in turn order.", who=who, keeper=keeper
        )
    if e.before in (NO_SEAT, e.seat):
        return t("{who} gains the first-player token for the next round.", who=who)
    before = names[e.before]
    return t("{who} gains the first-player token for the next round instead of {before}.", who=who, before=before)


def account(g: tg.TalesOfGlory, events: Sequence[Event], names: Sequence[str], t: Words) -> list[list[Line]]:
    """Where the Prestige came from: the gains of the game by kind, then the end line by line."""
    titles = {
        "TG-1.5": t("The hero's start"),
        "TG-3.3.1": t("Gains of tiles"),
        "TG-3.3.3": t("Gains of Place connectors"),
        "TG-3.4.1": t("Chests"),
    }
    during: list[dict[str, int]] = [{} for _ in g.adventurers]
    ending: list[list[Line]] = [[] for _ in g.adventurers]
    for e in events:
        if e.kind is tg.MAJORITY_WON:
            ending[e.seat].append(Line(e.rule, t("Majority: {resource}", resource=resource(e.resource, t)), e.points))
        elif e.kind is tg.GAINED and e.resource == tg.PRESTIGE:
            if e.rule == "TG-5.2":
                tile = tile_name(e.source // tg.SOURCES, t)
                ending[e.seat].append(Line(e.rule, t("At the end: {tile}", tile=tile), e.amount))
            else:
                during[e.seat][e.rule] = during[e.seat].get(e.rule, 0) + e.amount
    return [
        [Line(rule, titles[rule], points[rule]) for rule in titles if rule in points] + lines
        for points, lines in zip(during, ending, strict=True)
    ]
