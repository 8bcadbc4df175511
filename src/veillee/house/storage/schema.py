"""The tables of the database. The migrations make them; a test compares the two."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()
OF_THE_MOMENT = ("processes", "claims", "presence")  # no part of a backup

guests = sa.Table(
    "guests",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("chosen", sa.Boolean, nullable=False, server_default=sa.true()),  # the name; else it is a newcomer's
    sa.Column("shield", sa.Text, nullable=False, server_default=""),  # that they have made (shields.py)
)
tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("hash", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id"), nullable=False),
    sa.Column("kind", sa.Text, nullable=False),  # cookie or recovery
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("device", sa.Text, nullable=False, server_default=""),  # what it is called in the list of devices
    sa.Column("used", sa.Float, nullable=False, server_default="0"),  # when it was last here, within a day
)
tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # of the rules that the table began with
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("seed", sa.LargeBinary, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("asked", sa.Text, nullable=False),
    sa.Column("reseated", sa.Integer, nullable=False),  # how often the seats, or the rematch, have changed
    sa.Column("requests", sa.Integer, nullable=False, server_default="0"),  # the number of its latest answer
    sa.Column("rematch", sa.Text, nullable=False),
    sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.true()),  # may those who play ask for advice?
    sa.Column("guide", sa.Text, nullable=False, server_default=""),  # of a first game: on, or left
    sa.Column("pace", sa.Text, nullable=False, server_default=""),  # as pace.py writes it
    sa.Column("begun", sa.Float, nullable=False, server_default="0"),  # when the match began
    sa.Column("due", sa.Float, nullable=True),  # when somebody should look whether somebody's time is out
    sa.Column("deal", sa.Text, nullable=False, server_default=""),  # of the day: which one, as 2026-11-17
    sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("branch", sa.Text, nullable=False, server_default=""),  # played on from a moment of another table: which
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("touched", sa.Float, nullable=False),
)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id"), nullable=True),
    sa.Column("level", sa.Text, nullable=False),
    sa.Column("away", sa.Boolean, nullable=False),
    sa.Column("luck", sa.Text, nullable=False),
    sa.Column("shield", sa.Text, nullable=False, server_default=""),
)
answers = sa.Table(
    "answers",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),  # 1, 2, 3, … without a gap
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("actions", sa.Text, nullable=False),  # one request: its answers in a row, all or none; [] took one back
    sa.Column("created", sa.Float, nullable=False),
)
contents = sa.Table(
    "contents",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),  # as tables name it
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("file", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
)
# Who thinks for a bot, where a house has several processes (claims.py). Neither is worth a flush to the disk.
processes = sa.Table(
    "processes",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("until", sa.DateTime(timezone=True), nullable=False),  # by the database's clock: it is alive until then
)
claims = sa.Table(
    "claims",
    metadata,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("question", sa.Integer, nullable=False),  # grows with every one that the seat is asked
    sa.Column("process", sa.Text, nullable=False),
)
put_away = sa.Table(  # tables that a guest does not want to see in their list
    "put_away",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
)
results = sa.Table(  # of finished tables, for the lists: what the replay says, kept when it is first asked for
    "results",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("places", sa.Text, nullable=False),  # of each seat, 1 for the best
    sa.Column("winners", sa.Text, nullable=False),
)
house_lines = sa.Table(  # what the house itself writes into the chronicle of a table (hours.py)
    "house_lines",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("after", sa.Integer, nullable=False),  # so many requests
    sa.Column("shown", sa.Integer, nullable=False),  # how many answers everybody was shown then
    sa.Column("at", sa.Float, nullable=False),
)
agreements = sa.Table(  # those present who want a bot to play for somebody who is away
    "agreements",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),  # of who is away
    sa.Column("turn", sa.Integer, primary_key=True),  # of that seat
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
)
nights = sa.Table(  # when a guest sleeps, or is on holiday (nights.py)
    "nights",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("zone", sa.Text, nullable=False),
    sa.Column("begin", sa.Integer, nullable=False),  # minutes after midnight
    sa.Column("end", sa.Integer, nullable=False),
    sa.Column("leave", sa.Text, nullable=False, server_default=""),  # days, as 2026-12-24
    sa.Column("back", sa.Text, nullable=False, server_default=""),
)
presence = sa.Table(  # when a guest was last at a table where several people play (presence.py)
    "presence",
    metadata,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seen", sa.Float, nullable=False),
)
sa.Index("presence_by_table", presence.c.table_id)
keys = sa.Table(  # the house's own secrets (keys.py)
    "keys",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
channels = sa.Table(  # how guests want to be told of their turns (channels.py)
    "channels",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("lang", sa.Text, nullable=False),
    sa.Column("ready", sa.Boolean, nullable=False),  # it may be sent to
    sa.Column("made", sa.Float, nullable=False),
)
wishes = sa.Table(  # at which tables: at all of them (an empty one), or at one
    "wishes",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("want", sa.Boolean, nullable=False),
)
notices = sa.Table(  # the outbox: one row for a turn and a channel (outbox.py)
    "notices",
    metadata,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("turn", sa.Integer, primary_key=True),
    sa.Column("channel", sa.Text, sa.ForeignKey("channels.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("due", sa.Float, nullable=False),  # not to be tried before
    sa.Column("tried", sa.Integer, nullable=False),
    sa.Column("state", sa.Text, nullable=False),  # waiting, sending, sent, dropped, failed
)
sa.Index("channels_by_guest", channels.c.guest)
sa.Index("notices_by_state", notices.c.state, notices.c.due)
awake = sa.Table(  # one row: when the house was last known to be open (clock.py)
    "awake",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("seen", sa.Float, nullable=False),
)
closings = sa.Table(  # when it was closed
    "closings",
    metadata,
    sa.Column("since", sa.Float, primary_key=True),
    sa.Column("until", sa.Float, nullable=False),
)
sa.Index("tables_by_due", tables.c.due)
talk = sa.Table(  # what was said at a table (talk.py): beside the game, never in it
    "talk",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="SET NULL"), nullable=True),
    sa.Column("seat", sa.Integer, nullable=False),  # -1: somebody who looked on
    sa.Column("name", sa.Text, nullable=False),  # as it was then
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("gesture", sa.Text, nullable=False),  # neither: it was taken away
    sa.Column("said", sa.Float, nullable=False),
    sa.Column("address", sa.Text, nullable=False, server_default=""),  # where it came from, for some days (prune.py)
)
talk_rules = sa.Table(  # where the host has decided what may be said
    "talk_rules",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("rule", sa.Text, nullable=False),
)
mutes = sa.Table(  # what a guest does not want to hear: a person, a table, or, where neither is named, all talk
    "mutes",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("whom", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True),
)
reports = sa.Table(  # of messages, for whoever keeps order: they outlive what they are about
    "reports",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("table_id", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),  # of the message
    sa.Column("about", sa.Text, sa.ForeignKey("guests.id", ondelete="SET NULL"), nullable=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="SET NULL"), nullable=True),  # who reports it
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("settled", sa.Float, nullable=False),  # when; 0: it waits
    sa.Column(
        "address", sa.Text, nullable=False, server_default=""
    ),  # where the message came from, until it is settled
    sa.UniqueConstraint("table_id", "number", "guest", name="reported_once"),
)
analyses = (
    sa.Table(  # what was found out about finished games (analyses.py): kept, for it takes seconds to find it again
        "analyses",
        metadata,
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("findings", sa.Text, nullable=False),
    )
)
invitations = sa.Table(  # of people one has played with (invitations.py)
    "invitations",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("by", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("declined", sa.Boolean, nullable=False, server_default=sa.false()),
)
ratings = sa.Table(  # of people and of the bots' levels, at rated tables (ratings.py)
    "ratings",
    metadata,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("who", sa.Text, primary_key=True),  # a guest, or a level
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
)
deals = sa.Table(  # one a day for every box (deals.py)
    "deals",
    metadata,
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("seed", sa.LargeBinary, nullable=False),  # nobody's before the day is over; its commitment is everybody's
    sa.Column("created", sa.Float, nullable=False),
)
dealt = sa.Table(  # who has begun one: once, whatever becomes of the table
    "dealt",
    metadata,
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="SET NULL"), nullable=True),
    sa.Column("begun", sa.Float, nullable=False),
    sa.Column("place", sa.Integer, nullable=False, server_default="0"),  # 0: not over, or not looked up yet
    sa.Column("points", sa.Integer, nullable=False, server_default="0"),
)
bans = sa.Table(  # of whoever keeps order (order.py)
    "bans",
    metadata,
    sa.Column("kind", sa.Text, primary_key=True),  # guest, address, mute or table
    sa.Column("whom", sa.Text, primary_key=True),
    sa.Column("why", sa.Text, nullable=False),
    sa.Column("until", sa.Float, nullable=False),  # 0: for ever
    sa.Column("created", sa.Float, nullable=False),
)
acts = sa.Table(  # the log of it: the processes of the house follow it
    "acts",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("whom", sa.Text, nullable=False),
    sa.Column("why", sa.Text, nullable=False),
)
puzzled = sa.Table(  # the first answer of a guest to a puzzle (puzzles.py), which is known by its seed
    "puzzled",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("seed", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("choice", sa.Integer, nullable=False),
    sa.Column("solved", sa.Boolean, nullable=False),
)
measures = sa.Table(  # how well a guest has answered in an analysed game (measures.py)
    "measures",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("ended", sa.Float, nullable=False),
    sa.Column("regret", sa.Float, nullable=False),  # what better answers would have promised
    sa.Column("stakes", sa.Float, nullable=False),  # what luck moved, for better or worse
)
collected = sa.Table(  # analysed games that were looked through for a puzzle (collector.py), which goes with its table
    "collected",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("waiting", sa.Text, nullable=False),  # positions that nobody has judged yet, as [17, 40]: answers before
    sa.Column("number", sa.Integer, nullable=True),  # of the puzzle in its box; null: there is none
    sa.Column("found", sa.Text, nullable=False),  # where it is, who is asked, and what was agreed on
    sa.Column("made", sa.Float, nullable=False),
    sa.UniqueConstraint("game", "number", name="collected_once"),
)
sa.Index("seats_by_guest", seats.c.guest)
sa.Index("talk_by_guest", talk.c.guest)
sa.Index("tokens_by_guest", tokens.c.guest)
sa.Index("tables_by_status", tables.c.status, tables.c.touched)
