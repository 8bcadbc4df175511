// Starts Pyodide in a worker, with bundles of Python modules. Files that hosts do not compress are packed by the build
// (name.gz) and unpacked here; each is checked against its hash.
import { FILES } from "./files.js";

const HERE = new URL("./", import.meta.url);
const plainFetch = self.fetch;
const TYPES = { wasm: "application/wasm", zip: "application/zip" };

// Pyodide asks for its own files: it gets the unpacked ones.
self.fetch = async (what, init) => {
  const name = String(what.url ?? what).replace(HERE.href, "");
  if (!FILES[`${name}.gz`]) return plainFetch(what, init);
  return new Response(await unpacked(name), { headers: { "Content-Type": TYPES[name.split(".").pop()] ?? "application/octet-stream" } });
};

let onBytes = () => {};

/** Starts Python with these bundles in its path. onLoaded: called with the number of bytes of every piece that arrives. */
export async function startPython(bundles, onLoaded = () => {}) {
  onBytes = onLoaded;
  const fetched = bundles.map(unpacked);
  const { loadPyodide } = await import("./pyodide/pyodide.mjs").catch(() => { throw new Error("broken:pyodide/pyodide.mjs"); });
  const py = await loadPyodide({ indexURL: new URL("pyodide/", HERE).href, packages: [], env: { HOME: "/home", VEILLEE_ENGINES: "off" } });
  for (const bundle of fetched) writeFiles(py.FS, new Uint8Array(await bundle));
  py.globals.set("load_rest", () => writeFiles(py.FS, fetchNow("rest.bundle")));
  py.runPython(START);
  return py;
}

// Modules that no page needed when the build tried them all are in a bundle of their own, fetched when one is imported.
const START = `
import sys
from importlib.machinery import PathFinder

class LateModules:
    is_loaded = False

    def find_spec(self, name, path=None, target=None):
        if name not in LATE:
            return None
        if not LateModules.is_loaded:
            LateModules.is_loaded = True
            load_rest()
        return PathFinder.find_spec(name, ["/py/" + name.rpartition(".")[0].replace(".", "/")])

with open("/py/late.txt") as file:
    LATE = frozenset(file.read().split())
sys.path.insert(0, "/py")
sys.meta_path.append(LateModules())
sys.dont_write_bytecode = True
`;

async function unpacked(name) {
  const [, hash] = FILES[`${name}.gz`];
  let answer;
  try {
    answer = await plainFetch(new URL(`${name}.gz`, HERE), { integrity: hash });
  } catch (error) {
    throw new Error(`broken:${name} (${error.message})`);
  }
  if (!answer.ok) throw new Error(`broken:${name} (${answer.status})`);
  const counted = new TransformStream({ transform(piece, out) { onBytes(piece.byteLength); out.enqueue(piece); } });
  return new Response(answer.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

// Python's import cannot wait for a promise; in a worker a request may be synchronous.
function fetchNow(name) {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(name, HERE), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status >= 400) throw new Error(`broken:${name} (${request.status})`);
  return new Uint8Array(request.response);
}

// A bundle: the length of its index (4 bytes), the index [[path, size], …] as JSON, and the files one after the other.
function writeFiles(FS, bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const index = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const made = new Set();
  let at = 4 + length;
  for (const [name, size] of index) {
    const folder = `/py/${name.slice(0, Math.max(0, name.lastIndexOf("/")))}`;
    if (!made.has(folder)) { FS.mkdirTree(folder); made.add(folder); }
    FS.writeFile(`/py/${name}`, bytes.subarray(at, at + size), { canOwn: true });
    at += size;
  }
}
