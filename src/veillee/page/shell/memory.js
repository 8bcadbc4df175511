// Python's memory, as it was when a module had just been imported. It is kept in the browser, and the next visit starts from it instead
// of importing everything again (docs/adr/0036). Libraries of WebAssembly lie in this memory and in the table of functions: they are
// loaded before Python starts, always in the same order, so that they come to lie where they were.
import { VERSION } from "./files.js";

const BASE = new URL("./", import.meta.url).pathname;
const CACHE = `veillee ${BASE} memory`; // sw.js drops what older versions have kept
const ALIGNMENT = 16, MIN_FREE_MEMORIES = 8; // of the browser's storage: games come first
const SMALL = "/py/veillee/";
const LIBRARY = { global: false, nodelete: true };
const keyOf = name => `${BASE}memory/${name}?${VERSION}`;
const triedBy = name => `${keyOf(name)}&tried=${self.name}`;

/**
 * Loads libraries, [path, bytes], before Python starts. A compiled module of ours is a small library that begins the module, out of
 * the large one, when it is imported: those come last, and are not needed by a memory (`from`) in which they were imported.
 */
export function loadLibraries(Module, libraries, from) {
  const isSmall = ([path]) => path.startsWith(SMALL);
  const wanted = [...libraries.filter(one => !isSmall(one)), ...from ? [] : libraries.filter(isSmall)];
  for (const [path, bytes] of wanted) Module.preloadedWasm[path] = Module.loadWebAssemblyModule(bytes, LIBRARY, path, {});
}

/** Prepares a module for its memory, which Pyodide then fills in. */
export function prepare(Module, { handles, tableSize, files, bytes }) {
  while (Module.HEAP8.length < bytes.length) if (!Module._malloc(bytes.length - Module.HEAP8.length)) throw new Error("no room"); // Pyodide does not let it grow
  for (const [handle, path] of handles) if (!path.startsWith(SMALL)) Module.loadDynamicLibrary(path, LIBRARY, {}, handle);
  if (Module.wasmTable.length < tableSize) Module.wasmTable.grow(tableSize - Module.wasmTable.length);
  for (const [number, path, flags, position] of files) {
    const file = Module.FS.open(path, flags);
    if (file.fd !== number) throw new Error(`${path} is file ${file.fd}, not ${number}`);
    Module.FS.llseek(file, position, 0);
  }
}

/** Returns the memory of Python as it is now. */
export function copyMemory(py) {
  const { FS, LDSO, wasmTable } = py._module;
  const files = FS.streams.filter(file => file?.fd > 2).map(({ fd, path, flags, position }) => [fd, path, flags, position]);
  const handles = Object.entries(LDSO.loadedLibsByHandle).filter(([handle]) => +handle).map(([handle, library]) => [+handle, library.name]);
  return { handles, files, tableSize: wasmTable.length, bytes: py.makeMemorySnapshot() };
}

/** Returns the kept memory with this module; null if there is none. A start from it that does not end, with `confirm`, is the last one. */
export async function load(name) {
  try {
    const cache = await caches.open(CACHE);
    const [kept, isTried] = await Promise.all([cache.match(keyOf(name)), cache.match(triedBy(name))]);
    if (!kept || isTried) {
      if (isTried) await forget(name);
      return null;
    }
    const [data] = await Promise.all([kept.arrayBuffer(), cache.put(triedBy(name), new Response(""))]);
    const length = new DataView(data).getUint32(0, true);
    return { ...JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length))), bytes: new Uint8Array(data, aligned(4 + length)) };
  } catch {
    return null; // the browser keeps nothing
  }
}

export async function confirm(name) {
  try { await (await caches.open(CACHE)).delete(triedBy(name)); } catch { /* nothing is kept */ }
}

export async function forget(name) {
  try {
    const cache = await caches.open(CACHE);
    await Promise.all([cache.delete(keyOf(name)), cache.delete(triedBy(name))]);
  } catch { /* nothing is kept */ }
}

export async function keep(name, { bytes, ...rest }) {
  try {
    const { quota, usage } = await navigator.storage.estimate();
    if (quota - usage < MIN_FREE_MEMORIES * bytes.length) return;
    const told = new TextEncoder().encode(JSON.stringify(rest)), head = new Uint8Array(aligned(4 + told.length));
    new DataView(head.buffer).setUint32(0, told.length, true);
    head.set(told, 4);
    await (await caches.open(CACHE)).put(keyOf(name), new Response(new Blob([head, bytes])));
  } catch { /* nothing is kept */ }
}

const aligned = size => Math.ceil(size / ALIGNMENT) * ALIGNMENT;
