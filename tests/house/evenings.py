"""Houses of one store that can be killed, for tests of whole evenings."""

from __future__ import annotations

from veillee.house.house import House


class Evenings:
    """Houses of one store: with PostgreSQL two at once, and each can be killed."""

    def __init__(self, place, clock, several):
        self.place, self.clock = place, clock
        self.houses = [self.opened() for _ in range(2 if several else 1)]

    def opened(self):
        house = House.open(self.place, workers=0, now=self.clock)
        house.analyses.enqueue_idle = lambda table_id, match: None
        return house

    def kill(self, number):
        """What a kill leaves behind: nothing is said, nothing is written."""
        house = self.houses[number]
        house._closed.set()
        house.peers.close()
        house.store.close()
        self.houses[number] = self.opened()

    def close(self):
        for house in self.houses:
            house.close()
