"""Atom feeds."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree as ET

ATOM = "http://www.w3.org/2005/Atom"
MEDIA_TYPE = "application/atom+xml"


class AtomFeed:
    """A feed that is being written."""

    def __init__(self, name: str, title: str, author: str, lang: str) -> None:
        self._root = ET.Element("feed", {"xmlns": ATOM, "xml:lang": lang})
        self._author = author
        self._newest = 0.0
        _add(self._root, "id", f"urn:veillee:{name}")
        _add(self._root, "title", title)

    def add_entry(self, name: str, title: str, updated: float, *, link: str, summary: str) -> None:
        self._newest = max(self._newest, updated)
        entry = _add(self._root, "entry")
        _add(entry, "id", f"urn:veillee:{name}")
        _add(entry, "title", title)
        _add(entry, "updated", _format_time(updated))
        _add(entry, "link", href=link)
        _add(entry, "summary", summary)

    def render(self) -> bytes:
        _add(self._root, "updated", _format_time(self._newest))
        _add(_add(self._root, "author"), "name", self._author)
        return bytes(ET.tostring(self._root, "utf-8", xml_declaration=True))


def _add(parent: ET.Element, name: str, text: str = "", **attributes: str) -> ET.Element:
    child = ET.SubElement(parent, name, attributes)
    child.text = text or None
    return child


def _format_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
