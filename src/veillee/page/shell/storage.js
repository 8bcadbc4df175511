// Keeps the files of the house in IndexedDB. Files are cut into blocks, of which only those that changed are written, all in
// one transaction: after a crash there is the state before it or the state after it.
const BLOCK_BYTES = 65536;

const settled = request => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });

export async function openStorage(name) {
  const opened = indexedDB.open(name, 1);
  opened.onupgradeneeded = () => opened.result.createObjectStore("blocks");
  const db = await settled(opened);
  navigator.storage?.persist?.();
  const saved = new Map(); // path → its bytes as they were last saved

  return {
    /** Returns the bytes of a file; undefined if it was never saved. */
    async load(path) {
      const blocks = db.transaction("blocks").objectStore("blocks");
      const size = await settled(blocks.get(`${path} size`));
      if (size === undefined) return undefined;
      const parts = await Promise.all(Array.from({ length: Math.ceil(size / BLOCK_BYTES) }, (_, n) => settled(blocks.get(`${path} ${n}`))));
      const bytes = new Uint8Array(size);
      parts.forEach((part, n) => bytes.set(part, n * BLOCK_BYTES));
      saved.set(path, bytes.slice());
      return bytes;
    },

    /** Saves these files ([[path, bytes], …]), all or none; they are on the disk when the promise is fulfilled. */
    async save(files) {
      const change = db.transaction("blocks", "readwrite", { durability: "strict" });
      const done = new Promise((resolve, reject) => { change.oncomplete = resolve; change.onabort = () => reject(change.error); });
      const blocks = change.objectStore("blocks");
      for (const [path, bytes] of files) {
        const before = saved.get(path) ?? new Uint8Array(0);
        blocks.put(bytes.length, `${path} size`);
        for (let n = 0; n * BLOCK_BYTES < Math.max(bytes.length, before.length); n++) {
          const now = bytes.subarray(n * BLOCK_BYTES, (n + 1) * BLOCK_BYTES);
          if (!now.length) blocks.delete(`${path} ${n}`);
          else if (!isEqual(now, before.subarray(n * BLOCK_BYTES, (n + 1) * BLOCK_BYTES))) blocks.put(now.slice(), `${path} ${n}`);
        }
      }
      await done;
      for (const [path, bytes] of files) saved.set(path, bytes.slice());
    },
  };
}

function isEqual(a, b) {
  if (a.length !== b.length) return false;
  for (let n = 0; n < a.length; n++) if (a[n] !== b[n]) return false;
  return true;
}
