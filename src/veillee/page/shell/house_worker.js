// The house, in a Web Worker: veillee.page.house_in_page, its files in the browser's storage, its bots in other workers.
import { startPython } from "./python.js";
import { openStorage } from "./storage.js";

const BASE = new URL("./", import.meta.url).pathname;
const NAME = `veillee ${BASE}`; // of lock, channel and storage: another folder of this origin has its own
const FOLDER = "/home/house";
const SAVED = [`${FOLDER}/veillee.sqlite3`, `${FOLDER}/cookies.json`];
const MAX_THINKERS = 4;
const channel = new BroadcastChannel(NAME);

// One house for all windows: the one that has the lock. When its window closes, another one opens the house again.
navigator.locks.request(NAME, async () => {
  try {
    await openHouse();
  } catch (error) {
    postMessage({ what: "failed", reason: String(error.message ?? error).slice(-600) });
    throw error;
  }
  await new Promise(() => {});
});

async function openHouse() {
  let storage = null;
  const refused = reason => postMessage({ what: "unsaved", reason });
  try { storage = await openStorage(NAME); } catch (error) { refused(String(error)); }
  const { py, module, confirm } = await startPython(["engine.bundle", "house.bundle"], "veillee.page.house_in_page");
  postMessage({ what: "starting" });
  py.FS.mkdirTree(FOLDER);
  for (const path of SAVED) {
    const bytes = await storage?.load(path);
    if (bytes) py.FS.writeFile(path, bytes);
  }
  const save = async () => {
    if (!storage) throw new Error("no storage");
    await storage.save(SAVED.filter(path => py.FS.analyzePath(path).exists).map(path => [path, py.FS.readFile(path)]));
  };
  const { think, analyse } = thinkers();
  const house = module.PageHouse.callKwargs(FOLDER, { base: BASE, think, analyse, save, on_unsaved: refused, on_replaced: () => setTimeout(() => postMessage({ what: "replaced" }), 300) });

  const open = new Map(); // id of a request → what to call when its page has gone
  channel.onmessage = ({ data }) => {
    if (data.what === "who is there") channel.postMessage({ what: "here" });
    else if (data.what === "gone") { open.get(data.id)?.(); open.delete(data.id); }
    else if (data.what === "ask" && !open.has(data.id)) {
      const { id, method, path, query, headers, body, scheme, host, cookies } = data;
      channel.postMessage({ what: "heard", id });
      const request = module.PageRequest(method, path, query, py.toPy(headers), py.toPy(new Uint8Array(body ?? 0)).tobytes(), scheme, host, py.toPy(cookies));
      open.set(id, house.start(request, (what, ...rest) => {
        channel.postMessage({ what, id, rest: rest.map(toPlain) });
        if (what === "end") open.delete(id);
      }));
    }
  };
  channel.postMessage({ what: "ready" });
  confirm();
}

function toPlain(value) {
  if (!value?.toJs) return value;
  const plain = value.toJs();
  value.destroy();
  return plain;
}

// Workers that think: the least busy one is asked; another one is started while all are busy and there are cores left. Analyses
// have a worker of their own, so that bots need not wait.
function thinkers() {
  const most = Math.max(1, Math.min(MAX_THINKERS, (navigator.hardwareConcurrency ?? 2) - 1));
  const bots = [];
  let analyst = null;
  const free = () => {
    const idle = bots.find(one => !one.busy());
    if (idle || bots.length === most) return idle ?? bots.reduce((a, b) => (a.busy() <= b.busy() ? a : b));
    bots.push(startThinker(`bots ${bots.length}`));
    return bots[bots.length - 1];
  };
  setTimeout(free, 1000); // started before it is needed, but after the first page
  return {
    think: line => free().send("answer", line),
    analyse: (line, send) => {
      const kept = send.copy();
      return (analyst ??= startThinker("analyst")).send("analyse", line, kept).finally(() => kept.destroy());
    },
  };
}

function startThinker(name) {
  const worker = new Worker(new URL("thinker_worker.js", import.meta.url), { type: "module", name });
  const waiting = new Map();
  let number = 0;
  worker.onmessage = ({ data: { n, answer, line, wrong } }) => {
    const one = waiting.get(n);
    if (line !== undefined) return one.onLine(line);
    waiting.delete(n);
    if (wrong) one.reject(new Error(wrong)); else one.resolve(answer);
  };
  worker.onerror = event => { for (const one of waiting.values()) one.reject(new Error(event.message)); waiting.clear(); };
  return {
    busy: () => waiting.size,
    send: (kind, text, onLine) => new Promise((resolve, reject) => {
      waiting.set(++number, { resolve, reject, onLine });
      worker.postMessage({ n: number, kind, text });
    }),
  };
}
