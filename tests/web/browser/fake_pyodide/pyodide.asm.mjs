// Stands in for Pyodide's module: files in a map, and a memory of a few bytes.
export default async function createModule(settings) {
  const files = new Map(), waits = new Set();
  const FS = {
    streams: [null, null, null],
    mkdirTree() {},
    writeFile: (path, data) => files.set(path, data),
    readFile: path => files.get(path),
    analyzePath: path => ({ exists: files.has(path) }),
  };
  const Module = {
    FS, HEAP8: new Int8Array(64), LDSO: { loadedLibsByHandle: {} }, wasmTable: { length: 1 }, preloadedWasm: {},
    addRunDependency: name => waits.add(name),
    removeRunDependency: name => { waits.delete(name); if (!waits.size) begin(); },
  };
  let begin;
  const begun = new Promise(done => { begin = done; });
  for (const prepare of settings.preRun) prepare(Module);
  await begun;
  return Module;
}
