// turn_badge.js: how many tables wait for you: in the title, on the icon and as a badge of the installed house; and, if this browser
// was asked to (notifications.js), a notification when nobody looks. Without it the lists say the same.
const OFTEN = 60_000; // milliseconds
const icon = document.querySelector("link[rel=icon][type='image/svg+xml']"), plain = icon?.href;
let known = null; // the turns that were told of

function show(n) {
  document.title = document.title.replace(/^(● )?(\(\d+\) )?/, (_, dot = "") => dot + (n ? `(${n}) ` : ""));
  if (icon) icon.href = n ? `/icons/count/${Math.min(n, 9)}.svg` : plain;
  if (n) navigator.setAppBadge?.(n).catch(() => {}); else navigator.clearAppBadge?.().catch(() => {});
}

// At a table: the way to the next one that waits, once nothing is asked here.
const onwards = document.getElementById("next-table"), here = location.pathname.split("/")[2];
function lead(tables) {
  if (!onwards) return;
  const others = new Set(tables.map(table => table.id));
  others.delete(here);
  onwards.querySelector("b").textContent = others.size;
  onwards.hidden = !others.size;
}

async function tell({ tables, title, text }) {
  const fresh = tables.filter(table => known && !known.has(table.turn));
  known = new Set(tables.map(table => table.turn));
  if (!document.hidden || !fresh.length || localStorage.getItem("notify") !== "on" || Notification?.permission !== "granted") return;
  const worker = await navigator.serviceWorker?.ready;
  if (!worker || await worker.pushManager?.getSubscription()) return; // the house tells it already
  for (const table of fresh) await worker.showNotification(title, { body: text, tag: table.turn, icon: "/icons/fire-192.png", data: { url: `/t/${table.id}` } });
}

async function ask() {
  const answer = await fetch("/notices/waiting").catch(() => null); // the house may be closed
  if (!answer?.ok) return;
  const said = await answer.json();
  show(said.tables.length);
  lead(said.tables);
  await tell(said);
}
ask();
setInterval(ask, OFTEN);
document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
document.querySelector("[data-live]")?.addEventListener("veillee:swapped", () => { // it is no longer one's turn here
  if (document.getElementById("part-prompt")?.dataset.turn === "other" && !onwards?.hidden) ask();
});
