// sw.js: the service worker. It keeps what never changes (files whose address carries a fingerprint) and a page for when the
// house cannot be reached. Boards, lists and streams are the network's alone: nobody is ever shown a table as it was.
const FILES = "files-1", OFFLINE = "/offline";

addEventListener("install", event => event.waitUntil(ready()));
async function ready() {
  const files = await caches.open(FILES);
  await files.add(new Request(OFFLINE, { credentials: "omit", cache: "reload" })); // nobody's name is in it
  await files.addAll(NEEDED);
  await skipWaiting();
}

addEventListener("activate", event => event.waitUntil(tidy()));
async function tidy() {
  for (const name of await caches.keys()) if (name !== FILES) await caches.delete(name);
  await clients.claim();
}

addEventListener("fetch", event => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (stays(url)) event.respondWith(kept(request, url));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(async () => (await caches.match(OFFLINE)) ?? Response.error()));
});

const stays = ({ pathname, search }) => (/^\/(static|boards)\//.test(pathname) && search) || pathname.startsWith("/static/fonts/");

async function kept(request, url) {
  const files = await caches.open(FILES), found = await files.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) {
    const fresh = answer.clone();
    await files.delete(url.pathname, { ignoreSearch: true }); // the one with the fingerprint before
    await files.put(request, fresh);
  }
  return answer;
}

// ---- your turn ------------------------------------------------------------------------------------------------------
addEventListener("push", event => event.waitUntil(turn(event.data?.json() ?? {})));
async function turn({ title = "Veillée", body, url, stop, no, tag }) {
  await registration.showNotification(title, { body, tag, icon: "/icons/fire-192.png", badge: "/icons/fire-192.png", data: { url, stop }, actions: stop ? [{ action: "stop", title: no }] : [] });
  await navigator.setAppBadge?.();
}

addEventListener("notificationclick", event => {
  event.notification.close();
  const { url, stop } = event.notification.data ?? {};
  event.waitUntil(go((event.action === "stop" ? stop : url) ?? "/"));
});
async function go(address) {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin) return;
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find(page => new URL(page.url).pathname === url.pathname);
  await (there ? there.focus() : clients.openWindow(url));
}
