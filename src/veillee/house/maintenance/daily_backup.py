"""Writes a backup of the house each day into a folder, and deletes those older than so many days."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from veillee.house.maintenance.backup import backup

FILE_NAME = re.compile(r"veillee-(\d{4}-\d{2}-\d{2})\.sqlite3")


@dataclass(frozen=True)
class DailyBackups:
    """Backups of the house at `place`: one file a day (UTC) in `folder`, each kept for `days`."""

    place: str
    folder: Path
    days: int

    def run(self, now: float) -> None:
        """Writes the backup of the day unless there is one, then deletes old ones; if it cannot be written, none is
        deleted. Raises StoreError, OSError.
        """
        today = datetime.fromtimestamp(now, UTC).date()
        file = self.folder / f"veillee-{today.isoformat()}.sqlite3"
        if not file.exists():
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            backup(self.place, file)
        for day, old in self.files().items():
            if day <= today - timedelta(days=max(1, self.days)):
                old.unlink(missing_ok=True)

    def files(self) -> dict[date, Path]:
        """Returns the backups in the folder by day, oldest first; other files are left alone."""
        found = {}
        for file in sorted(self.folder.iterdir()):
            if (match := FILE_NAME.fullmatch(file.name)) is not None:
                with suppress(ValueError):  # no day of the calendar
                    found[date.fromisoformat(match[1])] = file
        return found
