// Starts Pyodide in a worker, with bundles of Python modules. All files come from the service worker.
import * as memory from "./memory.js";

const HERE = new URL("./", import.meta.url);
const KEEP_AFTER_MS = 3000; // the first page goes first

/**
 * Starts Python with these bundles in its path, and imports a module. Returns { py, module, confirm }; confirm must be called when
 * the module works.
 */
export async function startPython(bundles, name) {
  const fetched = Promise.all(bundles.map(fetchBytes)), kept = memory.load(name);
  fetched.catch(() => {}); // told when they are waited for
  const [{ loadPyodide }, { default: createModule }] = await Promise.all([
    import("./pyodide/pyodide.mjs").catch(() => { throw new Error("broken:pyodide/pyodide.mjs"); }),
    import("./pyodide/pyodide.asm.mjs").catch(() => { throw new Error("broken:pyodide/pyodide.asm.mjs"); }),
  ]);

  const start = from => loadPyodide({
    indexURL: new URL("pyodide/", HERE).href, packages: [], env: { HOME: "/home", VEILLEE_ENGINES: "off" },
    ...(from ? { _loadSnapshot: from.bytes } : { _makeSnapshot: true }),
    async createPyodideModule(settings) {
      settings.preRun.push(Module => {
        Module.addRunDependency("bundles");
        fetched.then(all => {
          memory.loadLibraries(Module, all.flatMap(bundle => writeFiles(Module.FS, bundle)), from);
          Module.removeRunDependency("bundles");
        });
      });
      const [Module] = await Promise.all([createModule(settings), fetched]);
      if (from) memory.prepare(Module, from);
      return Module;
    },
  });

  const found = await kept;
  if (found) {
    try {
      const py = await start(found);
      py.runPython("import random\nrandom.seed()"); // else it would draw what it drew before
      return { py, module: import_(py, name), confirm: () => memory.confirm(name) };
    } catch (error) {
      console.warn("Python does not start from its memory:", error);
      await memory.forget(name);
    }
  }
  const py = await start(null);
  py.runPython(START);
  py.runPython(`import ${name} as module\ngetattr(module, "prepare_next", lambda: None)()`);
  const copied = memory.copyMemory(py);
  return { py, module: import_(py, name), confirm: () => setTimeout(() => memory.keep(name, copied), KEEP_AFTER_MS) };
}

function import_(py, name) {
  py.globals.set("load_rest", () => writeFiles(py.FS, fetchNow("rest.bundle")));
  return py.pyimport(name);
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

async function fetchBytes(name) {
  const answer = await fetch(new URL(name, HERE)).catch(error => ({ statusText: error.message }));
  if (!answer.ok) throw new Error(`broken:${name} (${answer.status ?? answer.statusText})`);
  return new Uint8Array(await answer.arrayBuffer());
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

// A bundle: the length of its index (4 bytes), the index [[path, size], …] as JSON, and the files one after the other. Returns the
// libraries among them, [path, bytes].
function writeFiles(FS, bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const index = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const made = new Set(), libraries = [];
  let at = 4 + length;
  for (const [name, size] of index) {
    const folder = `/py/${name.slice(0, Math.max(0, name.lastIndexOf("/")))}`;
    if (!made.has(folder)) { FS.mkdirTree(folder); made.add(folder); }
    const data = bytes.subarray(at, at + size);
    FS.writeFile(`/py/${name}`, data, { canOwn: true });
    if (name.endsWith(".so")) libraries.push([`/py/${name}`, data]);
    at += size;
  }
  return libraries;
}
