// A game about as large as Takara Island on boardgame.io's own server, for benchmarks/server.py: node boardgame_io.js PORT [FOLDER]
// Eight sites of nine tiles, two teams, specialists: a move digs at one site, and what lies face down is hidden from all.
// With a folder its matches are on disk (its own FlatFile); without one they are in memory.
const { Server, FlatFile } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const LEVELS = ["shallow", "shallow", "shallow", "intermediate", "intermediate", "intermediate", "deep", "deep", "deep"];
const site = random => ({ wounds: 0, dug: 0, tiles: LEVELS.map(level => ({ level, up: false, tile: `tile-${random.Die(40)}` })) });

const dig = {
  name: "dig",
  minPlayers: 2,
  maxPlayers: 2,
  setup: ({ random }) => ({
    sites: Array.from({ length: 8 }, () => site(random)),
    teams: [0, 1].map(() => ({ karas: 5, xp: 0, tokens: 0, ready: 4, injured: 0, won: [], pieces: Array(4).fill("camp") })),
    specialists: Array.from({ length: 9 }, (_, n) => ({ id: `specialist-${n}`, price: n + 2, cost: n + 2, holder: -1, asleep: false })),
    dice: [],
    tokens: 20,
    chests: 12,
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    dig: {
      client: false,
      move: ({ G, playerID, random }, at) => {
        const place = G.sites[at];
        if (!place) return INVALID_MOVE;
        const [top] = place.tiles, team = G.teams[playerID];
        if (!top.up) top.up = true;
        else {
          place.tiles.shift();
          team.won = [...team.won.slice(-20), top.tile];
          team.karas += random.Die(3);
          team.xp += 1;
          if (!place.tiles.length) G.sites[at] = site(random);
        }
        team.pieces[random.Die(4) - 1] = `site-${at}`;
      },
    },
  },
  playerView: ({ G }) => ({
    ...G,
    sites: G.sites.map(place => ({ ...place, tiles: place.tiles.map(tile => (tile.up ? tile : { ...tile, tile: null })) })),
  }),
};

const [port, folder] = process.argv.slice(2);
const db = folder ? { db: new FlatFile({ dir: folder }) } : {};
Server({ games: [dig], origins: ["http://127.0.0.1"], ...db }).run(+port, () => console.log("ready"));
