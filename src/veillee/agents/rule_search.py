"""Rules of a box for an agent: by id, by words, or the chapters."""

from __future__ import annotations

from veillee.agents.seated import ToolReply, t
from veillee.games.box import Box
from veillee.games.rulebook import Rule, book, find_rules, rules
from veillee.house.errors import NotFound

MAX_FOUND = 12  # rules


def describe_rules(box: Box, lang: str, search: str, rule: str) -> ToolReply:
    """Returns the rule of that id, the rules that contain all words, or the chapters. Raises NotFound."""
    source = book(box.folder, lang) or ""
    known = rules(source)
    ids = [one.id for one in known]
    found = find_rules(known, search, rule)
    if found:
        return _told(found[:MAX_FOUND])
    if rule:
        raise NotFound(t("There is no rule {rule}. The rules: {rules}.", rule=rule, rules=", ".join(ids)))
    if search.split():
        raise NotFound(t("No rule has all these words: {words}.", words=search))
    chapters = [line.lstrip("# ") for line in source.splitlines() if line.startswith("## ")]
    return ToolReply("\n".join([*chapters, ", ".join(ids)]), {"chapters": chapters, "rules": ids})


def _told(found: list[Rule]) -> ToolReply:
    """A mark in brackets before a part says that it is not the publisher's plain rule."""
    lines, data = [], []
    for rule in found:
        parts = [f"[{part.mark}] {part.text}" if part.mark else part.text for part in rule.parts]
        lines.append(f"{rule.id} {' '.join(parts)}")
        data.append({"id": rule.id, "text": rule.text, "marks": rule.marks})
    return ToolReply("\n".join(lines), {"rules": data})
