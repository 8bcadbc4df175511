// Service worker: plain files come from its cache; everything else is asked of the house (house_worker.js), which answers piece by
// piece. VERSION and FILES (name → [bytes, hash]) stand before this in the built folder. Files that hosts do not compress are packed by
// the build (name.gz): they are asked for, and cached, unpacked.
const BASE = new URL("./", location.href).pathname, NAME = `veillee ${BASE}`, CACHE = `${NAME} files`;
const PATIENCE_MS = 60_000, NO_BODY = [101, 204, 205, 304];
const channel = new BroadcastChannel(NAME);

// ---- files: each is cached under its hash, so that a new version fetches only what has changed ---------------------------------
const NAMES = Object.keys(FILES).map(name => name.replace(/\.gz$/, ""));
const sourceOf = name => FILES[name] ? name : `${name}.gz`;
const keyOf = name => `${BASE}${name}?${FILES[sourceOf(name)][1]}`;
const TYPES = { wasm: "application/wasm", zip: "application/zip" };
const coming = new Map(); // name → promise of its being cached

addEventListener("install", event => event.waitUntil(registration.active ? keepFiles() : skipWaiting())); // an update waits until it is wanted
addEventListener("activate", event => event.waitUntil(registration.active ? Promise.all([dropOldFiles(), clients.claim()]) : null));
addEventListener("message", event => {
  if (event.data.what === "renew") skipWaiting();
  if (event.data.what === "claim") event.waitUntil(clients.claim());
  if (event.data.what === "keep") event.waitUntil(keepFiles().then(() => event.source?.postMessage({ what: "kept" }), () => {}));
});

async function keepFiles() {
  const cache = await caches.open(CACHE);
  for (const name of NAMES) if (!await cache.match(keyOf(name))) await fetchFile(name).then(answer => cache.put(keyOf(name), answer));
}

/** Fetches a file, checked against its hash, and unpacks it. */
async function fetchFile(name) {
  const source = sourceOf(name), [, integrity] = FILES[source];
  const answer = await fetch(BASE + source, { integrity, cache: "force-cache" }).catch(() => fetch(BASE + source, { integrity, cache: "reload" }));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  if (source === name) return answer;
  const counted = new TransformStream({ transform(piece, out) { channel.postMessage({ what: "loaded", bytes: piece.byteLength }); out.enqueue(piece); } });
  const body = answer.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
  return new Response(body, { headers: { "Content-Type": TYPES[name.split(".").pop()] ?? "application/octet-stream" } });
}

async function dropOldFiles() {
  const cache = await caches.open(CACHE), kept = new Set(NAMES.map(keyOf));
  for (const { url } of await cache.keys()) if (!kept.has(url.slice(location.origin.length))) await cache.delete(url);
  await caches.delete(`${NAME} memory`); // memory.js
}

// A static host sends no headers of ours. WebAssembly is compiled in the workers alone, and no string is ever run as a script.
const WORKER_CSP = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";

async function file(name) {
  const cached = await (await caches.open(CACHE)).match(keyOf(name));
  const found = cached ?? (FILES[name] ? await fetch(BASE + name, { cache: "force-cache" }) : await cachedFirst(name));
  if (!name.endsWith("_worker.js")) return found;
  const headers = new Headers(found.headers);
  headers.set("Content-Security-Policy", WORKER_CSP);
  return new Response(found.body, { status: found.status, headers });
}

// The browser keeps compiled code of WebAssembly that comes from the cache. A file that cannot be fetched is a 404 for its reader.
async function cachedFirst(name) {
  if (!coming.has(name)) coming.set(name, putFile(name).finally(() => coming.delete(name)));
  try {
    await coming.get(name);
    return await (await caches.open(CACHE)).match(keyOf(name)) ?? await fetchFile(name); // nothing can be cached: the storage is full
  } catch (error) {
    return new Response(String(error), { status: 404 });
  }
}

async function putFile(name) {
  const answer = await fetchFile(name);
  try { await (await caches.open(CACHE)).put(keyOf(name), answer); } catch (error) { if (error.name !== "QuotaExceededError") throw error; }
}

addEventListener("fetch", event => {
  const { request } = event, url = new URL(request.url);
  if (url.origin !== location.origin) return;
  // Scripts of the pages also ask for addresses at the root; the browser hands those of our pages to us.
  const path = url.pathname.startsWith(BASE) ? url.pathname.slice(BASE.length) : url.pathname.slice(1);
  if (request.mode === "navigate" && request.destination === "document") {
    const isFront = path === "" || path === "index.html";
    event.respondWith(isFront ? file("index.html") : Response.redirect(`${BASE}#/${path}${url.search}`, 302));
  } else if (path === "rest.bundle") return; // asked for by the house, which waits for it and could not answer
  else if (FILES[sourceOf(path)]) event.respondWith(file(path));
  else event.respondWith(askHouse(request, url, `/${path}`));
});

// ---- the house ------------------------------------------------------------------------------------------------------------------
const waiting = new Map(); // id of a request → what takes the parts of its answer
channel.onmessage = ({ data }) => {
  if (data.what === "ready") for (const one of waiting.values()) one.askAgain();
  else waiting.get(data.id)?.[data.what]?.(...(data.rest ?? []));
};

async function askHouse(request, url, path) {
  const id = crypto.randomUUID();
  const body = request.method === "GET" ? null : await request.arrayBuffer();
  const cookies = Object.fromEntries((await self.cookieStore?.getAll({ url: url.href }).catch(() => []) ?? []).map(one => [one.name, one.value]));
  const asked = {
    what: "ask", id, body, cookies, method: request.method, path: decodeURIComponent(path), query: url.search.slice(1),
    host: url.host, scheme: url.protocol.slice(0, -1), headers: [...request.headers],
  };
  return new Promise((resolve, reject) => {
    let parts, hasBegun = false;
    const end = () => { waiting.delete(id); clearTimeout(timer); };
    const timer = setTimeout(() => { end(); reject(new Error("the house does not answer")); }, PATIENCE_MS);
    waiting.set(id, {
      // The house was opened anew, in this window or another: it does not know this request. Answers carry the number of their
      // question, so that one that was saved before is not given twice; a stream is cut off and reconnects.
      askAgain() {
        if (!hasBegun) channel.postMessage(asked);
        else { end(); try { parts.error(new Error("the house was opened anew")); } catch { /* nobody reads it any more */ } }
      },
      head(status, headers) {
        hasBegun = true;
        clearTimeout(timer);
        const stream = new ReadableStream({ start(out) { parts = out; }, cancel() { end(); channel.postMessage({ what: "gone", id }); } });
        resolve(new Response(NO_BODY.includes(status) ? null : stream, { status, headers }));
      },
      body(bytes) { try { parts?.enqueue(bytes); } catch { /* nobody reads it any more */ } },
      end() { end(); try { parts?.close(); } catch { /* nobody reads it any more */ } if (!hasBegun) resolve(new Response("", { status: 500 })); },
    });
    channel.postMessage(asked);
  });
}
