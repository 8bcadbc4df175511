"""The tables of the database. The migrations create them; a test compares the two."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()
EPHEMERAL_TABLES = ("processes", "claims", "presence")  # left out of backups

guests = sa.Table(
    "guests",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("chosen", sa.Boolean, nullable=False, server_default=sa.true()),  # false: the default name of a newcomer
    sa.Column("shield", sa.Text, nullable=False, server_default=""),  # chosen (accounts/shields.py); empty: the default
)
tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("hash", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id"), nullable=False),
    sa.Column("kind", sa.Text, nullable=False),  # cookie or recovery
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("device", sa.Text, nullable=False, server_default=""),  # its name in the list of devices
    sa.Column("used", sa.Float, nullable=False, server_default="0"),  # last visit, to within a day
)
browsers = sa.Table(  # in which a guest has sat down (accounts/browsers.py)
    "browsers",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("hash", sa.Text, primary_key=True),  # of the browser's cookie
)
entry_links = sa.Table(  # invitations, links for operators, challenges (accounts/entry_links.py)
    "entry_links",
    metadata,
    sa.Column("hash", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),  # invitation, operator or challenge
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("until", sa.Float, nullable=False),
    sa.Column("uses", sa.Integer, nullable=False),  # how often it can still be used
)
roles = sa.Table(  # of guests (community/moderation.py)
    "roles",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("role", sa.Text, nullable=False),  # operator
    sa.Column("since", sa.Float, nullable=False),
)
passkeys = sa.Table(  # of guests (accounts/passkeys.py)
    "passkeys",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),  # of the credential
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), nullable=False),
    sa.Column("public_key", sa.LargeBinary, nullable=False),
    sa.Column("sign_count", sa.BigInteger, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("used", sa.Float, nullable=False),
)
sa.Index("passkeys_by_guest", passkeys.c.guest)
identities = sa.Table(  # of guests, at an identity provider (accounts/identities.py)
    "identities",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("issuer", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),  # what the issuer calls the person
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("used", sa.Float, nullable=False),
    sa.UniqueConstraint("issuer", "subject", name="identity_once"),
)
sa.Index("identities_by_guest", identities.c.guest)
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
    sa.Column("reseated", sa.Integer, nullable=False),  # number of changes of the seats or the rematch
    sa.Column("requests", sa.Integer, nullable=False, server_default="0"),  # the number of its latest answer
    sa.Column("rematch", sa.Text, nullable=False),
    sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.true()),  # may players ask for advice?
    sa.Column("guide", sa.Text, nullable=False, server_default=""),  # of a guided first game: on, or left
    sa.Column("pace", sa.Text, nullable=False, server_default=""),  # see tables/clocks/time_control.py
    sa.Column("begun", sa.Float, nullable=False, server_default="0"),  # when the match began
    sa.Column("due", sa.Float, nullable=True),  # when a time limit is to be checked
    sa.Column("deal", sa.Text, nullable=False, server_default=""),  # 2026-11-17, or the id of a championship
    sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("branch", sa.Text, nullable=False, server_default=""),  # origin: table and moment it was played on from
    sa.Column("opens_until", sa.Float, nullable=True),  # while contributions to the shuffle are opened: until when
    sa.Column("sealed_until", sa.Float, nullable=True),  # of a championship: when its deal may be seen by all
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
    sa.Column("sealed", sa.Text, nullable=False, server_default=""),  # hash of a contribution (match/seeds.py)
    sa.Column("opened", sa.Text, nullable=False, server_default=""),  # the contribution, once it is opened
)
answers = sa.Table(
    "answers",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),  # 1, 2, 3, … without a gap
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("actions", sa.Text, nullable=False),  # one request: its answers, all or none; []: took one back
    sa.Column("created", sa.Float, nullable=False),
    sa.Column(
        "checksum", sa.Integer
    ),  # of the columns before `created` (answer_sql.py); NULL: written before it existed
)
contents = sa.Table(
    "contents",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),  # as named in the options of tables
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("file", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
)
# Which process computes a bot's answer (leases.py), with PostgreSQL. UNLOGGED: neither is worth a flush to the disk.
processes = sa.Table(
    "processes",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("until", sa.DateTime(timezone=True), nullable=False),  # end of its lease, by the database's clock
)
claims = sa.Table(
    "claims",
    metadata,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("question", sa.Integer, nullable=False),  # grows with every question to the seat
    sa.Column("process", sa.Text, nullable=False),
)
put_away = sa.Table(  # tables that a guest has removed from their list
    "put_away",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
)
private_notes = sa.Table(  # what a guest has noted at a table (community/private_notes.py): shown to no other guest
    "private_notes",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("words", sa.Text, nullable=False),
)
results = sa.Table(  # of finished tables, so that lists need no replay
    "results",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("places", sa.Text, nullable=False),  # of each seat, 1 is the best
    sa.Column("winners", sa.Text, nullable=False),
)
house_lines = sa.Table(  # house events in the chronicle of a table (tables/clocks/seat_clocks.py)
    "house_lines",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("after", sa.Integer, nullable=False),  # number of requests before it
    sa.Column("shown", sa.Integer, nullable=False),  # number of answers that were public then
    sa.Column("at", sa.Float, nullable=False),
)
agreements = sa.Table(  # votes of those present for a bot to replace an absent player
    "agreements",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),  # of the absent player
    sa.Column("turn", sa.Integer, primary_key=True),  # of that seat
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
)
nights = sa.Table(  # quiet hours and holidays of a guest (accounts/quiet_hours.py)
    "nights",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("zone", sa.Text, nullable=False),
    sa.Column("begin", sa.Integer, nullable=False),  # minutes after midnight
    sa.Column("end", sa.Integer, nullable=False),
    sa.Column("leave", sa.Text, nullable=False, server_default=""),  # days, as 2026-12-24
    sa.Column("back", sa.Text, nullable=False, server_default=""),
)
presence = sa.Table(  # last time of a guest at a table with several people (community/presence.py)
    "presence",
    metadata,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seen", sa.Float, nullable=False),
)
sa.Index("presence_by_table", presence.c.table_id)
keys = sa.Table(  # secrets of the house (secret_keys.py)
    "keys",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
channels = sa.Table(  # notification addresses of guests (notifications/channels.py)
    "channels",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("lang", sa.Text, nullable=False),
    sa.Column("ready", sa.Boolean, nullable=False),  # it is confirmed
    sa.Column("made", sa.Float, nullable=False),
)
wishes = sa.Table(  # notification setting for one table, or for all (empty id)
    "wishes",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("want", sa.Boolean, nullable=False),
)
notices = sa.Table(  # the outbox: one row per turn and channel (notifications/outbox.py)
    "notices",
    metadata,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("turn", sa.Integer, primary_key=True),
    sa.Column("channel", sa.Text, sa.ForeignKey("channels.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("due", sa.Float, nullable=False),  # earliest next attempt
    sa.Column("tried", sa.Integer, nullable=False),
    sa.Column("state", sa.Text, nullable=False),  # waiting, sending, sent, dropped, failed
)
sa.Index("channels_by_guest", channels.c.guest)
sa.Index("notices_by_state", notices.c.state, notices.c.due)
awake = sa.Table(  # one row: the last heartbeat of the open house (uptime.py)
    "awake",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("seen", sa.Float, nullable=False),
)
closings = sa.Table(  # periods during which the house was closed
    "closings",
    metadata,
    sa.Column("since", sa.Float, primary_key=True),
    sa.Column("until", sa.Float, nullable=False),
)
sa.Index("tables_by_due", tables.c.due)
talk = sa.Table(  # chat messages of a table (community/chat.py): never part of the game
    "talk",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="SET NULL"), nullable=True),
    sa.Column("seat", sa.Integer, nullable=False),  # -1: a spectator
    sa.Column("name", sa.Text, nullable=False),  # of the guest at that time
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("gesture", sa.Text, nullable=False),  # neither words nor gesture: it was removed
    sa.Column("said", sa.Float, nullable=False),
    sa.Column("address", sa.Text, nullable=False, server_default=""),  # IP address, for 7 days (maintenance/cleanup.py)
)
talk_rules = sa.Table(  # chat rule of a table, where its host has set one
    "talk_rules",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("rule", sa.Text, nullable=False),
)
mutes = sa.Table(  # what a guest has muted: a person, a table, or, if both are empty, all chat
    "mutes",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("whom", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True),
)
reports = sa.Table(  # of chat messages, for moderators: kept when the message or its table is deleted
    "reports",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("table_id", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),  # of the chat message; 0: table_id is that of a circle
    sa.Column("about", sa.Text, sa.ForeignKey("guests.id", ondelete="SET NULL"), nullable=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="SET NULL"), nullable=True),  # the reporter
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("settled", sa.Float, nullable=False),  # when a moderator settled it; 0: open
    sa.Column(
        "address", sa.Text, nullable=False, server_default=""
    ),  # IP address of the message's author, until it is settled
    sa.UniqueConstraint("table_id", "number", "guest", name="reported_once"),
)
analyses = sa.Table(  # findings about finished games (analysis/queue.py): stored, since they take seconds to compute
    "analyses",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("findings", sa.Text, nullable=False),
)
invitations = sa.Table(  # of people the guest has played with (community/invitations.py)
    "invitations",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("by", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("declined", sa.Boolean, nullable=False, server_default=sa.false()),
)
ratings = sa.Table(  # of people and of bot levels, at rated tables (results/ratings.py)
    "ratings",
    metadata,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("who", sa.Text, primary_key=True),  # guest id, or level
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
)
deals = sa.Table(  # one per day and box (results/daily_deals.py)
    "deals",
    metadata,
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("seed", sa.LargeBinary, nullable=False),  # secret until the day is over; its commitment is public
    sa.Column("created", sa.Float, nullable=False),
)
dealt = sa.Table(  # daily deals that guests have begun: once, even if the table is deleted
    "dealt",
    metadata,
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="SET NULL"), nullable=True),
    sa.Column("begun", sa.Float, nullable=False),
    sa.Column("place", sa.Integer, nullable=False, server_default="0"),  # 0: not over, or not computed yet
    sa.Column("points", sa.Integer, nullable=False, server_default="0"),
)
championships = sa.Table(  # house/championships/
    "championships",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # of the rules that all its tables are played by
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("level", sa.Text, nullable=False),  # of the bots
    sa.Column("organiser", sa.Text, sa.ForeignKey("guests.id", ondelete="SET NULL"), nullable=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("ends", sa.Float, nullable=False),
    sa.Column("form", sa.Text, nullable=False, server_default="duplicate"),  # or rounds, league
    sa.Column("scoring", sa.Text, nullable=False, server_default="skill"),  # or victories, points
    sa.Column("deals_per_round", sa.Integer, nullable=False, server_default="0"),  # 0: there are no rounds
    sa.Column("pace", sa.Text, nullable=False, server_default=""),  # of the tables of a round
    sa.Column("round_seconds", sa.Float, nullable=False, server_default="0"),  # that a round lasts at most
    sa.Column("begins", sa.Float, nullable=True),  # the first round; NULL: when the organiser says so
)
championship_deals = sa.Table(  # sealed when the championship is created
    "championship_deals",
    metadata,
    sa.Column("championship", sa.Text, sa.ForeignKey("championships.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # from 1
    sa.Column("seed", sa.LargeBinary, nullable=False),  # secret until the end; its commitment is public
)
championship_entrants = sa.Table(
    "championship_entrants",
    metadata,
    sa.Column("championship", sa.Text, sa.ForeignKey("championships.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # from 1, in the order of joining
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="SET NULL"), nullable=True),  # NULL: deleted
    sa.Column("joined", sa.Float, nullable=False),
    sa.Column("withdrawn", sa.Float, nullable=True),  # since when they want to play no further round
    sa.Column("level", sa.Text, nullable=False, server_default=""),  # of the bots made to measure for them
    sa.UniqueConstraint("championship", "guest", name="entered_once"),
)
championship_rounds = sa.Table(  # their rounds and seasons: a row is written with all its tables, or not at all
    "championship_rounds",
    metadata,
    sa.Column("championship", sa.Text, sa.ForeignKey("championships.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # from 1
    sa.Column("began", sa.Float, nullable=False),
    sa.Column("closed", sa.Float, nullable=True),  # when all its games were over; NULL: it is being played
)
championship_games = sa.Table(  # of an entrant and a deal: begun once, even if the table is deleted
    "championship_games",
    metadata,
    sa.Column("championship", sa.Text, primary_key=True),
    sa.Column("entrant", sa.Integer, primary_key=True),
    sa.Column("deal", sa.Integer, primary_key=True),
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="SET NULL"), nullable=True),
    sa.Column("begun", sa.Float, nullable=False),
    sa.Column("ended", sa.Float, nullable=True),  # NULL: not over, or not looked at since
    sa.Column("share", sa.Float, nullable=True),  # of the victory
    sa.Column("points", sa.Integer, nullable=True),
    sa.Column("luck", sa.Float, nullable=True),  # share of the victory that luck has given; NULL: not analysed yet
    sa.Column("round", sa.Integer, nullable=False, server_default="0"),  # 0: there are no rounds
    sa.Column(
        "group", sa.Integer, nullable=False, server_default="0"
    ),  # of entrants who play each other in that round, from 1
    sa.Column("seat", sa.Integer, nullable=True),  # NULL: the only person's
    sa.Column("seats", sa.Integer, nullable=False, server_default="0"),  # of its table; 0: that of one entrant alone
    sa.Column("substituted", sa.Boolean, nullable=False, server_default=sa.false()),  # a bot has played for them
    sa.ForeignKeyConstraint(
        ["championship", "entrant"],
        ["championship_entrants.championship", "championship_entrants.number"],
        ondelete="CASCADE",
    ),
)
sa.Index("championship_entrants_by_guest", championship_entrants.c.guest)
sa.Index("championship_games_by_table", championship_games.c.table_id)
circles = sa.Table(  # house/circles/
    "circles",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("skeleton", sa.Text, nullable=False, unique=True),  # the same for all names that look the same
    sa.Column("shield", sa.Text, nullable=False),
    sa.Column("invitation", sa.Text, nullable=False),  # names the link that is valid; another one revokes it
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("evening", sa.Float, nullable=True),  # when its next evening begins
    sa.Column("evening_note", sa.Text, nullable=False, server_default=""),
    sa.Column("evening_set", sa.Float, nullable=False, server_default="0"),  # when it was announced
)
circle_members = sa.Table(
    "circle_members",
    metadata,
    sa.Column("circle", sa.Text, sa.ForeignKey("circles.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("role", sa.Text, nullable=False),  # founder, helper or member
    sa.Column("since", sa.Float, nullable=False),  # in this role
    sa.Column("joined", sa.Float, nullable=False),
    sa.Column("muted", sa.Boolean, nullable=False, server_default=sa.false()),
)
circle_tables = sa.Table(
    "circle_tables",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("circle", sa.Text, sa.ForeignKey("circles.id", ondelete="CASCADE"), nullable=False),
)
circle_championships = sa.Table(
    "circle_championships",
    metadata,
    sa.Column("championship", sa.Text, sa.ForeignKey("championships.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("circle", sa.Text, sa.ForeignKey("circles.id", ondelete="CASCADE"), nullable=False),
)
sa.Index("circle_members_by_guest", circle_members.c.guest)
sa.Index("circle_tables_by_circle", circle_tables.c.circle)
sa.Index("circle_championships_by_circle", circle_championships.c.circle)
bans = sa.Table(  # of moderators (community/moderation.py)
    "bans",
    metadata,
    sa.Column("kind", sa.Text, primary_key=True),  # guest, address, mute or table
    sa.Column("whom", sa.Text, primary_key=True),
    sa.Column("why", sa.Text, nullable=False),
    sa.Column("until", sa.Float, nullable=False),  # 0: permanent
    sa.Column("created", sa.Float, nullable=False),
)
acts = sa.Table(  # log of moderators' acts, which every server process polls
    "acts",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("whom", sa.Text, nullable=False),
    sa.Column("why", sa.Text, nullable=False),
)
puzzled = sa.Table(  # a guest's first answer to a puzzle (analysis/puzzles.py), identified by its seed
    "puzzled",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("seed", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("choice", sa.Integer, nullable=False),
    sa.Column("solved", sa.Boolean, nullable=False),
)
measures = sa.Table(  # how well a guest has answered in an analysed game (analysis/strength.py)
    "measures",
    metadata,
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("ended", sa.Float, nullable=False),
    sa.Column("regret", sa.Float, nullable=False),  # what better answers would have gained
    sa.Column("stakes", sa.Float, nullable=False),  # how much luck moved, in either direction
)
collected = sa.Table(  # analysed games that were searched for a puzzle (analysis/puzzle_collector.py)
    "collected",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("waiting", sa.Text, nullable=False),  # positions not judged yet, as [17, 40]: number of answers before
    sa.Column("number", sa.Integer, nullable=True),  # of the puzzle in its box; null: none found
    sa.Column("found", sa.Text, nullable=False),  # its position, the seat asked, and the solution the judges agreed on
    sa.Column("made", sa.Float, nullable=False),
    sa.UniqueConstraint("game", "number", name="collected_once"),
)
sa.Index("seats_by_guest", seats.c.guest)
sa.Index("talk_by_guest", talk.c.guest)
sa.Index("tokens_by_guest", tokens.c.guest)
sa.Index("tables_by_status", tables.c.status, tables.c.touched)
