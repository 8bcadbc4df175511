// A game as large as Takara Island on boardgame.io's own server, for benchmarks/server.py: node boardgame_io.js PORT [FOLDER]
// Six sites of nine tiles, two teams, specialists, prices: what a seat of Takara Island is shown, field by field, about 5.5 KB
// of JSON. A move looks at a tile, which its player alone knows from then on, or digs it up. What lies face down is hidden from
// all who have not seen it, and what may lie there is counted for each of them. The rules themselves are simpler than ours.
// With a folder its matches are on disk (its own FlatFile: not flushed); without one they are in memory.
const { Server, FlatFile } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const SITES = 6, LEVELS = ["shallow", "intermediate", "deep"];
const KINDS = {
  shallow: { "karas-2": 8, "xp-1": 4, "xp-1-injury": 2, "bat-a": 1, "bat-b": 1, "rockfall-shallow": 2 },
  intermediate: { "karas-4": 7, "xp-2": 3, "xp-2-injury": 3, "goblin-a": 1, "goblin-b": 1, "goblin-c": 1, "chest-intermediate": 1, "rockfall-intermediate": 1 },
  deep: { "karas-6": 3, "xp-4": 3, "xp-4-injury": 4, "skeleton-a": 1, "skeleton-b": 1, drake: 1, "chest-deep": 3, stone: 2 },
};
const TREASURE = { tablet: 1, idol: 3, "gold-bag": 1, skull: 1, map: 1, mimic: 1 };
const ANSWERS = {
  stop: 0, observe: [1, 2, 3, 4, 5, 6], work: [7, 8, 9, 10, 11, 12], den: 13, sell: [14, 15, 16], buy: 17, hire: [18, 19, 20, 46],
  no_sword: 21, rent: 22, go_on: 23, turn_up: 24, site: [25, 26, 27, 28, 29, 30], depth: [31, 32, 33, 34, 35, 36, 37],
  take_karas: 38, keep_map: 39, no_recruit: 40, recruit: 41, care: [42, 43, 44, 45],
};
const PRICES = { sword: 3, token: 5, recruit: 5, den: 1, sales: [{ xp: 1, karas: 5 }, { xp: 2, karas: 10 }, { xp: 4, karas: 20 }], care: [0, 2, 4, 6] };

const tiles = (level, random) => random.Shuffle(Object.entries(KINDS[level]).flatMap(([kind, n]) => Array(n).fill(kind)));

function setup({ random }) {
  const piles = Object.fromEntries(LEVELS.map(level => [level, tiles(level, random)]));
  const shaft = () => LEVELS.flatMap(level => piles[level].splice(0, 3).map(tile => ({ level, tile, up: false, fresh: false, seen: [] })));
  return {
    turns: 0,
    memory: "notebook",
    sites: Array.from({ length: SITES }, () => ({ wounds: 0, dug: 0, tiles: shaft() })),
    teams: [0, 1].map(() => ({
      karas: 5, tokens: 0, ready: 3, hurt: 0, rest: 0, injured: 0, recruit: false,
      pieces: ["camp", "camp", "camp"], won: [], stones: 0, xp: 0, title: null,
    })),
    places: { sites: Array(SITES).fill(0), den: 0, counter: 0, port: 0 },
    sword: false,
    traded: false,
    dice: [],
    specialists: ["miner", "archaeologist", "diviner", "imitator"].map((id, n) => ({ id, price: n + 2, holder: -1, asleep: false, cost: n + 2 })),
    tokens: 4,
    chests: 8,
    discards: {},
    looking: null,
    divined: null,
    answers: ANSWERS,
    karas: PRICES,
    asks: "Act",
    ending: null,
  };
}

function dig({ G, playerID, random }, at) {
  const place = G.sites[at];
  if (!place || !place.tiles.length) return INVALID_MOVE;
  const [top] = place.tiles, team = G.teams[playerID];
  G.turns += 1;
  G.places.sites = G.places.sites.map((_, site) => +(site === at));
  G.dice = [random.Die(6) > 3 ? "sword" : "hospital"];
  team.pieces[random.Die(3) - 1] = `site-${at}`;
  if (!top.seen.includes(playerID)) top.seen.push(playerID);
  else if (!top.up) top.up = top.fresh = true;
  else {
    place.tiles.shift();
    place.dug += 1;
    if (top.tile.startsWith("karas")) {
      G.discards[top.tile] = (G.discards[top.tile] || 0) + 1;
      team.karas += +top.tile.slice(-1);
    } else {
      team.won.push(top.tile);
      team.xp += 1;
    }
  }
}

function playerView({ G, playerID }) {
  const unseen = { ...Object.fromEntries(LEVELS.map(level => [level, { ...KINDS[level] }])), treasure: TREASURE };
  const sites = G.sites.map(site => ({
    ...site,
    tiles: site.tiles.map(({ level, tile, up, fresh, seen }) => {
      const known = up || seen.includes(playerID);
      if (known) unseen[level][tile] -= 1;
      return { level, tile: known ? tile : null, up, fresh };
    }),
  }));
  return { ...G, sites, unseen };
}

const game = {
  name: "dig",
  minPlayers: 2,
  maxPlayers: 2,
  setup,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { dig: { client: false, move: dig } },
  playerView,
};

const [port, folder] = process.argv.slice(2);
const db = folder ? { db: new FlatFile({ dir: folder }) } : {};
Server({ games: [game], origins: ["http://127.0.0.1"], ...db }).run(+port, () => console.log("ready"));
