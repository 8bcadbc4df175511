// Stands in for Pyodide and the house: a page that counts presses, and keeps the count in the file of the database.
const FILE = "/home/house/veillee.sqlite3", VERSION = 1;

export async function loadPyodide(options) {
  const Module = await options.createPyodideModule({ preRun: [] });
  const memory = options._loadSnapshot;
  if (memory && memory[0] !== VERSION) throw new Error("this memory is of another Python");
  const imported = memory ? memory[1] : 0;
  const steps = [];
  return {
    FS: Module.FS, _module: Module, globals: new Map(),
    runPython: text => { steps.push(text); },
    makeMemorySnapshot: () => new Uint8Array([VERSION, 1]),
    toPy: value => Object.assign(value, { tobytes: () => value }),
    pyimport: () => ({ PageRequest: (method, path, query, headers, body) => ({ method, path }), PageHouse: { callKwargs: (folder, given) => house(Module.FS, given, imported ? "kept" : "fresh") } }),
  };
}

function house(FS, { base, save, on_unsaved }, from) {
  const count = () => FS.analyzePath(FILE).exists ? +new TextDecoder().decode(FS.readFile(FILE)) : 0;
  const page = text => `<!DOCTYPE html><html lang="en"><title>Table</title>${text}<p id="from">${from}</p></html>`;
  async function answer({ method, path }, send) {
    if (method === "POST") {
      FS.writeFile(FILE, new TextEncoder().encode(`${count() + 1}`));
      try { await save(); } catch (error) { on_unsaved(String(error)); }
      send("head", 303, [["location", `${base}t/1`]]);
    } else {
      const isFile = path === "/t/1/file";
      send("head", 200, [["content-type", isFile ? "application/octet-stream" : "text/html"]]);
      const form = id => `<form method="post" action="${base}t/1/act"><button id="${id}">Press</button></form>`;
      const text = path === "/t/1" ? `<a id="save" href="${base}t/1/file" download>Save</a><p id="count">${count()}</p>${form("more")}` : `<h1 id="real">Shelf</h1>${form("play")}`;
      send("body", new TextEncoder().encode(isFile ? `${count()}` : page(text)));
    }
    send("end");
  }
  return { start: (request, send) => { answer(request, send); return () => {}; } };
}
