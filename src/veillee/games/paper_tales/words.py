"""Words of Paper Tales: choices, questions, reasons, log and final account."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.games.box import Line, Wordless
from veillee.games.paper_tales import content
from veillee.games.paper_tales import rules as pt
from veillee.kernel.counts import at
from veillee.kernel.log import END, Event, Kind
from veillee.words import Words


def unit(kind: int, t: Words) -> str:
    return t.name(content.UNITS[kind].name)


def building(number: int, t: Words) -> str:
    return t.name(content.HOUSES[number].name)


def source(number: int, t: Words) -> str:
    """Where points or gold come from."""
    if number < pt.FROM_BUILDING:
        return unit(number, t)
    if number < pt.FROM_WAR:
        return building(number - pt.FROM_BUILDING, t)
    if number == pt.FROM_WAR:
        return t("wars won")
    if number == pt.FROM_BASE:
        return t("base income")
    return t("points never fall below 0")


def row(where: int, t: Words) -> str:
    return t("in front") if where == pt.FRONT else t("in the back")


def aged(kind: int, age: int, t: Words) -> str:
    """A unit with its age tokens."""
    if age == 0:
        return unit(kind, t)
    return t.tn("{unit} ({n} age)", "{unit} ({n} age)", age, unit=unit(kind, t))


def label(g: pt.PaperTales, seat: int, action: int, t: Words) -> str:
    verb, args = g.choice(action)
    realm = g.realms[seat]
    if verb == "keep":
        return t("Keep: {unit}", unit=unit(args["kind"], t))
    if verb == "toss":
        return t("Discard: {unit}", unit=unit(args["kind"], t))
    if verb == "front":
        return t("In front")
    if verb == "back":
        return t("In the back")
    if verb == "save":
        return t("Save it for the next turn")
    if verb == "discard":
        return t("Dismiss it") if len(realm.plan) < len(realm.units) else t("Discard it")
    if verb in ("age", "heal"):
        return _unit_label(realm, args["place"], t)
    if verb == "let die":
        return t("Save nobody")
    if verb == "build nothing":
        return t("Build nothing")
    return _construction(verb, building(args["building"], t), realm.price_of(action), t)


def _construction(verb: str, name: str, price: int, t: Words) -> str:
    if verb == "build":
        text = t("Build: {building}, level 1", building=name)
    elif verb == "build high":
        text = t("Build: {building}, straight to level 2", building=name)
    else:
        text = t("Upgrade: {building} to level 2", building=name)
    return t("{construction} (−{price} gold)", construction=text, price=price) if 0 < price < pt.OUT_OF_REACH else text


def _unit_label(realm: pt.Realm, place: int, t: Words) -> str:
    """A unit by its name, age and row; equal ones are numbered."""
    chosen = realm.units[place]
    name = t("{unit}, {row}", unit=aged(chosen.kind, chosen.age + chosen.coming, t), row=row(chosen.row, t))
    number = sum(_alike(chosen, earlier) for earlier in realm.units[:place]) + 1
    return t("{unit} (no. {n})", unit=name, n=number) if number > 1 else name


def _alike(one: pt.Unit, other: pt.Unit) -> bool:
    return (one.kind, one.row, one.age + one.coming) == (other.kind, other.row, other.age + other.coming)


def question(g: pt.PaperTales, seat: int, t: Words) -> tuple[str, str]:
    realm = g.realms[seat]
    step = g.question
    if isinstance(step, pt.Keep):
        if pt.tosses(g, realm):
            return t("Which card do you discard, face down, before passing the rest?"), "PT-2.1.3"
        return t("Which card do you keep?"), "PT-2.1.1"
    if isinstance(step, pt.Deploy):
        return _deployment_question(realm, t)
    if isinstance(step, pt.ChooseAge):
        n = realm.tokens_asked()
        if realm.answered < realm.fresh(pt.TIME_MASTER):
            return t("Time Master: which unit gets 2 age?"), "PT-2.2.4"
        if n == 0:
            return t(
                "Master Alchemist: you have no food, which nobody else knows. Choose any unit: it gets no age."
            ), "PT-2.2.4"
        return t.tn(
            "Master Alchemist: which unit gets {n} age?", "Master Alchemist: which unit gets {n} age?", n
        ), "PT-2.2.4"
    if isinstance(step, pt.Construct):
        return t("What do you build?"), "PT-2.5.1"
    if isinstance(step, pt.Heal):
        return t("Mystical Healer: which unit is saved?"), "PT-2.6.2"
    return "", ""


def _deployment_question(realm: pt.Realm, t: Words) -> tuple[str, str]:
    i = len(realm.plan)
    if i < len(realm.units):
        old = realm.units[i]
        return t("{unit}, already in your kingdom: where?", unit=aged(old.kind, old.age, t)), "PT-2.2.1"
    if realm.planned():
        return "", ""
    kind = realm.next_kind()
    return t("{unit} (cost {cost}): where?", unit=unit(kind, t), cost=pt.COST[kind]), "PT-2.2.1"


def why(g: pt.PaperTales, seat: int, action: int, rule: str, t: Words) -> str:
    verb, args = g.choice(action)
    realm = g.realms[seat]
    if action not in g.question.options(g, seat):
        return _misplaced(g, realm, verb, args, t)
    if rule == "PT-2.2.6":
        return t("Nothing is saved in the last turn.") if g.turn == pt.TURNS else t("You already save a card.")
    if rule == "PT-1.3":
        name = unit(realm.next_kind(), t)
        if verb == "front":
            return t("{unit}: there is no free spot in front.", unit=name)
        return t("{unit}: there is no free spot in the back.", unit=name)
    if rule == "PT-2.2.3":
        kind = realm.next_kind()
        return t.tn(
            "{unit} costs {cost} gold, and {n} is left.",
            "{unit} costs {cost} gold, and {n} are left.",
            realm.purse,
            unit=unit(kind, t),
            cost=pt.COST[kind],
        )
    if rule == "PT-2.2.1":
        return t("It is the same as the card before: that one would have gone there first.")
    if rule == "PT-2.6.2":
        if realm.units[args["place"]].healed:
            return t("Another Healer already saves this unit.")
        return t("Only a unit about to die with exactly 1 age can be saved.")
    return _why_not_built(realm, verb, args["building"], action, t)


def _misplaced(g: pt.PaperTales, realm: pt.Realm, verb: str, args: dict[str, int], t: Words) -> str:
    """When such an answer is given; or that the card or the unit is not there."""
    if verb in ("keep", "toss"):
        return _not_drafted(g, realm, verb, args["kind"], t)
    if verb == "save":
        if isinstance(g.question, pt.Deploy):
            return t("Only a card from the hand can be saved, not a unit of the kingdom.")
        return t("A card is saved during the deployment.")
    if verb in ("front", "back", "discard"):
        return t("Units are placed, moved and dismissed during the deployment.")
    if verb == "age":
        if isinstance(g.question, pt.ChooseAge):
            return t("No unit stands there.")
        return t("Age tokens are handed out by Time Masters and the Master Alchemist, once the kingdoms are revealed.")
    if verb == "heal" and isinstance(g.question, pt.Heal):
        return t("No unit stands there.")
    if verb in ("heal", "let die"):
        return t("A Mystical Healer is asked when units grow old.")
    return t("One builds during the construction, after the income.")


def _not_drafted(g: pt.PaperTales, realm: pt.Realm, verb: str, kind: int, t: Words) -> str:
    if verb == "toss" and len(g.realms) > 2:
        return t("Cards of a pack are discarded in a game for two only.")
    if not isinstance(g.question, pt.Keep):
        return t("Cards are taken from the packs during the recruitment.")
    if pt.tosses(g, realm) == (verb == "toss"):
        return t("{unit} is not in your pack.", unit=unit(kind, t))
    if verb == "toss":
        return t("First keep a card; then you discard one.")
    return t("You have kept a card already: now discard one.")


def _why_not_built(realm: pt.Realm, verb: str, number: int, action: int, t: Words) -> str:
    level = at(realm.levels, number)
    if verb == "upgrade" and level == 0:
        return t("It is not built yet.")
    if level == 2:
        return t("It is already at level 2.")
    if verb != "upgrade" and level == 1:
        return t("It is already built.")
    price = realm.price_of(action)
    if price < pt.OUT_OF_REACH:
        name = building(number, t)
        return t("{building} costs {price} gold, and you have {gold}.", building=name, price=price, gold=realm.gold)
    missing = zip(content.RESOURCES, pt.Means(realm).lacks(action), strict=True)
    lacks = [amount(resource, n, t) for resource, n in missing if n]
    return t("Your kingdom does not produce enough: {lacks} missing.", lacks=", ".join(lacks))


def amount(resource: str, n: int, t: Words) -> str:
    if resource == "wood":
        return t.tn("{n} wood", "{n} wood", n)
    if resource == "food":
        return t.tn("{n} food", "{n} food", n)
    return t.tn("{n} crystal", "{n} crystals", n)


def gives_up(g: pt.PaperTales, seat: int, action: int, t: Words) -> str:
    """PT-2.2.6 The last answer of a deployment discards what is left of the hand. PT-2.6.2 A Healer may save somebody."""
    verb, _ = g.choice(action)
    realm = g.realms[seat]
    if verb == "let die":
        dying = [unit(u.kind, t) for u in realm.units if u.needs_healing() and not u.healed]
        return t("Nobody is saved: {units} dies.", units=", ".join(dying)) if dying else ""
    if not isinstance(g.question, pt.Deploy) or len(realm.plan) + 1 < len(realm.units) + len(realm.hand):
        return ""
    last = realm.clone()
    last.settle(action - pt.DEPLOY)
    old = len(last.units)
    left = [last.kind_at(i) for i in range(old, len(last.plan)) if last.plan[i] == pt.GONE]
    gone = [last.kind_at(i) for i in range(old) if last.plan[i] == pt.GONE]
    placed = any(last.front + last.back and pt.COST[kind] <= last.purse for kind in left)
    said = []
    if placed or (left and pt.may_save(g, last)):
        cards = ", ".join(unit(kind, t) for kind in left)
        if placed:
            said.append(t("You discard {cards}, and there is room and gold for more.", cards=cards))
        else:
            said.append(t("You discard {cards}, and one card could be saved for the next turn.", cards=cards))
    if gone:
        said.append(t("Dismissed for good: {units}.", units=", ".join(unit(kind, t) for kind in gone)))
    return " ".join(said)


def event(e: Event, names: Sequence[str], t: Words) -> str:
    who = names[e.seat] if e.seat >= 0 else ""
    if e.kind is pt.TURN:
        return t("Turn {n} of 4 begins.", n=e.turn)
    if e.kind is pt.RESHUFFLE:
        return t("The draw pile is empty: the discard pile is shuffled ({n} cards).", n=e.cards)
    if e.kind is pt.DEAL:
        return t("{who} is dealt {n} cards.", who=who, n=e.cards)
    if e.kind is pt.RECEIVED:
        return t.tn(
            "{who} receives {n} card from {giver}.",
            "{who} receives {n} cards from {giver}.",
            e.cards,
            who=who,
            giver=names[e.giver],
        )
    if e.kind is pt.KEPT or e.kind is pt.KEPT_LAST:
        return t("{who} keeps: {unit}.", who=who, unit=unit(e.unit, t))
    if e.kind is pt.TOSSED:
        return t("{who} discards face down: {unit}.", who=who, unit=unit(e.unit, t))
    if e.kind in (pt.DISMISSED, pt.MOVED, pt.DEPLOYED, pt.LEFTOVERS, pt.SHAPE, pt.SHAPE_REFUSED):
        return _deployment_event(e, who, t)
    if e.kind is pt.RAISED:
        return t("Golem: the {building} of {who} rises to level 2.", who=who, building=building(e.building, t))
    if e.kind is pt.AGED:
        return t.tn("{who}: {n} age on {unit}.", "{who}: {n} age on {unit}.", e.tokens, who=who, unit=unit(e.unit, t))
    if e.kind is pt.FOUGHT:
        return _war(e, names, t)
    if e.kind is pt.GOLD:
        return _gold(e, who, t)
    if e.kind is pt.LEGEND:
        return _legend(e, who, t)
    if e.kind is pt.CANNOT_BUILD:
        return t("{who} can build nothing.", who=who)
    if e.kind is pt.BUILT_NOTHING:
        return t("{who} builds nothing.", who=who)
    if e.kind is pt.BUILT:
        return t("{who} builds: {building}, level {level}.", who=who, building=building(e.building, t), level=e.level)
    if e.kind is pt.HEALED:
        return t("{who}: the Healer saves {unit}.", who=who, unit=unit(e.unit, t))
    if e.kind is pt.LET_DIE:
        return t("{who}: the Healer saves nobody.", who=who)
    if e.kind is pt.DIED:
        return t("{who}: {unit} dies.", who=who, unit=aged(e.unit, e.age, t))
    if e.kind is pt.GREW_OLD:
        return t("Every surviving unit gets 1 age.")
    if e.kind is END:
        return t("The game is over: four turns have been played.")
    raise Wordless(e)


def together(events: Sequence[Event], names: Sequence[str], t: Words) -> str:
    """What is shown in one go, in one sentence."""
    first = events[0]
    who, kinds = names[first.seat], {e.kind for e in events}
    if kinds <= {pt.DISMISSED, pt.MOVED, pt.DEPLOYED, pt.LEFTOVERS} | {pt.GOLD} and kinds != {pt.GOLD}:
        return _deployed(events, who, t)
    if kinds == {pt.LEGEND} and first.source == pt.FROM_WAR:
        gains = [t("{who}: {n}", who=names[e.seat], n=e.points) for e in events]
        return t("Wars won, in legend points: {gains}.", gains=", ".join(gains))
    if kinds == {pt.GOLD} and len({e.seat for e in events}) > 1:
        sums = {e.seat: sum(other.coins for other in events if other.seat == e.seat) for e in events}
        gains = [t("{who}: {n}", who=names[seat], n=coins) for seat, coins in sums.items()]
        return t("Income, in gold: {gains}.", gains=", ".join(gains))
    if kinds <= {pt.GOLD, pt.LEGEND}:
        gains = [gain for kind in (pt.LEGEND, pt.GOLD) if (gain := _gains([e for e in events if e.kind is kind], t))]
        return t("{who} gains {gains}.", who=who, gains=" + ".join(gains))
    if kinds == {pt.DIED}:
        return t("{who}: {units} die.", who=who, units=", ".join(aged(e.unit, e.age, t) for e in events))
    if kinds == {pt.BUILT, pt.GOLD}:
        done = event(first, names, t).removesuffix(".")
        return t("{done} ({n} gold).", done=done, n=-sum(e.coins for e in events if e.kind is pt.GOLD))
    return ""


def _deployed(events: Sequence[Event], who: str, t: Words) -> str:
    """What a kingdom does when it is revealed, with what it pays."""

    def units(kind: Kind) -> str:
        return ", ".join(unit(e.unit, t) for e in events if e.kind is kind)

    paid = -sum(e.coins for e in events if e.kind is pt.GOLD)
    deeds = [
        t("deploys {units}", units=units(pt.DEPLOYED)) if units(pt.DEPLOYED) else t("deploys nobody"),
        t("moves {units}", units=units(pt.MOVED)) if units(pt.MOVED) else "",
        t("dismisses {units}", units=units(pt.DISMISSED)) if units(pt.DISMISSED) else "",
        t("pays {n} gold", n=paid) if paid > 0 else t("gains {n} gold", n=-paid) if paid < 0 else "",
    ]
    for e in events:
        if e.kind is pt.LEFTOVERS and e.saved:
            deeds.append(t("saves a card"))
    return t("{who} {deeds}.", who=who, deeds=t("; ").join(filter(None, deeds)))


def _gains(events: Sequence[Event], t: Words) -> str:
    """The sum, and where it comes from."""
    if not events:
        return ""
    sources = ", ".join(source(e.source, t) for e in events)
    if events[0].kind is pt.GOLD:
        return t("{n} gold ({sources})", n=sum(e.coins for e in events), sources=sources)
    return t.tn(
        "{n} legend point ({sources})", "{n} legend points ({sources})", sum(e.points for e in events), sources=sources
    )


def _deployment_event(e: Event, who: str, t: Words) -> str:
    if e.kind is pt.DISMISSED:
        return t("{who} dismisses {unit}.", who=who, unit=aged(e.unit, e.age, t))
    if e.kind is pt.MOVED:
        return t("{who} moves {unit}: {row}.", who=who, unit=unit(e.unit, t), row=row(e.row, t))
    if e.kind is pt.DEPLOYED:
        return t("{who} deploys {unit} {row}.", who=who, unit=unit(e.unit, t), row=row(e.row, t))
    if e.kind is pt.SHAPE:
        return t("{who}: the Shapeshifter becomes {unit}, with 1 age.", who=who, unit=unit(e.unit, t))
    if e.kind is pt.SHAPE_REFUSED:
        return t("{who} draws {unit} for the Shapeshifter: too costly, discarded.", who=who, unit=unit(e.unit, t))
    discarded = t.tn("{n} card discarded", "{n} cards discarded", e.discarded)
    if e.saved:
        return t("{who} saves a card; {discarded}.", who=who, discarded=discarded)
    return t("{who} saves no card; {discarded}.", who=who, discarded=discarded)


def _war(e: Event, names: Sequence[str], t: Words) -> str:
    one, other = names[e.seat], names[e.other]
    if e.mine == e.theirs:
        return t("War: {one} and {other} are equal ({n}): both win.", one=one, other=other, n=e.mine)
    winner, loser = (one, other) if e.mine > e.theirs else (other, one)
    more, less = max(e.mine, e.theirs), min(e.mine, e.theirs)
    if e.rule == "PT-2.3.3" and pt.wars_won(more, less) == 2:
        return t(
            "War: {winner} ({more}) has at least twice the strength of {loser} ({less}): two wars won.",
            winner=winner,
            loser=loser,
            more=more,
            less=less,
        )
    return t("War: {winner} ({more}) beats {loser} ({less}).", winner=winner, loser=loser, more=more, less=less)


def _gold(e: Event, who: str, t: Words) -> str:
    if e.coins < 0:
        return t("{who} pays {n} gold ({source}).", who=who, n=-e.coins, source=source(e.source, t))
    return t("{who} gains {n} gold ({source}).", who=who, n=e.coins, source=source(e.source, t))


def _legend(e: Event, who: str, t: Words) -> str:
    if e.points < 0:
        return t.tn(
            "{who} loses {n} legend point ({source}).",
            "{who} loses {n} legend points ({source}).",
            -e.points,
            who=who,
            source=source(e.source, t),
        )
    return t.tn(
        "{who} gains {n} legend point ({source}).",
        "{who} gains {n} legend points ({source}).",
        e.points,
        who=who,
        source=source(e.source, t),
    )


def account(g: pt.PaperTales, events: Sequence[Event], names: Sequence[str], t: Words) -> list[list[Line]]:
    """Where each legend point came from: wars first, then units and buildings, the end of the game last."""
    sums: list[dict[tuple[str, int], int]] = [{} for _ in g.realms]
    for e in events:
        if e.kind is pt.LEGEND:
            key = (e.rule, e.source)
            sums[e.seat][key] = sums[e.seat].get(key, 0) + e.points
    lines: list[list[Line]] = []
    for points in sums:
        entries = sorted(points.items(), key=lambda entry: (entry[0][0], -entry[1], entry[0][1]))
        lines.append([Line(rule, _title(rule, number, t), n) for (rule, number), n in entries])
    return lines


def _title(rule: str, number: int, t: Words) -> str:
    if rule == "PT-3.1":
        return t("{source}, at the end of the game", source=source(number, t))
    text = source(number, t)
    return text[:1].upper() + text[1:]
