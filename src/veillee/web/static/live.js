// live.js: makes a server-rendered table live. Everything works without it (POST + redirect); this only saves the reload.
// What it needs of the page is written down in docs/add-a-game.md, "The board". No library, no build, CSP script-src 'self'.
const live = document.querySelector("[data-live]");
const say = document.getElementById("say"); // polite live region, outside every part: it must survive swaps
const oops = document.getElementById("oops");
const link = document.getElementById("link");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const isCalm = () => calm.matches || "still" in document.documentElement.dataset;
const MAX_MOVERS = 40;

// ---- 1. swap parts --------------------------------------------------------------------------------------------------
// A thing is known by its id; that of a button is the number of an answer, which at another question may be another thing: then
// it says the same, too.
const stamp = () => document.querySelector("#act [name=stamp]")?.value; // of the question that the page shows
const known = e => ({ id: e.id, says: e.textContent.trim(), stamp: stamp() });
const isSame = (then, e) => !!e.id && e.id === then.id && (then.stamp === stamp() || !e.matches("button") || then.says === e.textContent.trim());

function remember(parts) {
  const here = document.activeElement;
  const inside = here && parts.some(p => p.contains(here));
  return {
    focus: inside ? { ...known(here), group: here.closest("[data-focus]")?.dataset.focus } : null,
    open: [...document.querySelectorAll("details[id]")].map(d => [d.id, d.open]),
    scroll: [...document.querySelectorAll("[data-scroll][id]")].map(e => [e.id, e.scrollLeft, e.scrollTop]),
    checked: [...document.querySelectorAll("input:checked[id]")].map(e => e.id),
  };
}

let lost = null; // the focus of somebody whose control is out of reach while what it did is played
const hold = () => { lost = remember([...document.querySelectorAll("[data-part]")]); };

function restore(m) {
  for (const [id, open] of m.open) { const d = document.getElementById(id); if (d) d.open = open; }
  for (const [id, x, y] of m.scroll) { const e = document.getElementById(id); if (e) e.scrollTo(x, y); }
  for (const id of m.checked) { const e = document.getElementById(id); if (e && !e.disabled) e.checked = true; }
  if (!m.focus) return;
  // The same thing, else its group, from where Tab leads to its first control, else the prompt. Focus never falls back to
  // <body>, nor upon another thing: a second Enter would choose that one, unread.
  const { id, group } = m.focus;
  const shown = e => e && e.getClientRects().length > 0 && !e.disabled && !e.closest("[inert]");
  const thing = document.getElementById(id), round = document.querySelectorAll(`[data-focus="${group}"]`);
  const to = [thing && isSame(m.focus, thing) && thing, ...round].find(shown) ?? document.getElementById("prompt");
  if (to?.matches("[data-focus]")) {
    to.tabIndex = -1;
    to.addEventListener("blur", () => to.removeAttribute("tabindex"), { once: true });
  }
  to?.focus({ preventScroll: true });
}

const pieces = scopes => new Map(scopes.flatMap(s => [...s.querySelectorAll("[data-vt]")]).map(e => [e.dataset.vt, e]));
const named = (scopes, name) => name && (scopes.flatMap(s => [...s.querySelectorAll("[data-vt]")]).find(e => e.dataset.vt === name)
  ?? document.querySelector(`[data-vt="${CSS.escape(name)}"]`));

// Only pieces whose data-at changed (or that come and go) get a view-transition-name: names stay unique, snapshots stay few.
function movers(olds, news) {
  const was = pieces(olds), is = pieces(news), out = [], used = new Set();
  for (const [key, el] of is) {
    const before = was.get(key) ?? named(olds, el.dataset.from);
    if (was.get(key)?.dataset.at === el.dataset.at || used.has(before)) continue;
    if (before) used.add(before);
    if (before || el.dataset.at) out.push([key, before ?? null, el]);
  }
  for (const [key, el] of was) {
    if (is.has(key) || used.has(el) || !el.dataset.at) continue;
    const after = named(news, el.dataset.to);
    if (after && used.has(after)) continue;
    if (after) used.add(after);
    out.push([key, el, after ?? null]);
  }
  return out.length > MAX_MOVERS ? [] : out;
}

const label = (list, side, on) => list.forEach(([key, ...el]) => { if (el[side]) el[side].style.viewTransitionName = on ? key : ""; });

// Every sentence is said once: with its beat, or when the chronicle brings it.
let told = newest();
function newest() { return Math.max(0, ...[...document.querySelectorAll("#part-log [data-n]")].map(e => +e.dataset.n)); }
function tell(news) {
  const log = news.find(part => part.id === "part-log");
  const lines = log ? [...log.querySelectorAll("[data-n]")].filter(e => +e.dataset.n > told).reverse() : [];
  if (log) told = newest();
  const words = [...lines.slice(-6).map(e => e.textContent.trim()), ...news.map(n => n.dataset.say).filter(Boolean)];
  if (words.length) say.textContent = words.join(" ");
}
function speak(beats) {
  const words = beats.map(li => li.querySelector("p")?.textContent.trim()).filter(Boolean);
  if (words.length) say.textContent = words.slice(-6).join(" ");
  told = Math.max(told, ...beats.map(li => +(li.dataset.n ?? 0)));
}

// The chronicle: the newest line first, and what is new since one's last turn.
const LINES = 40;
function write(beats, known) {
  const list = document.getElementById("log-list");
  if (!list) return;
  for (const beat of beats) {
    const line = beat.querySelector("p");
    if (!line || beat.matches(".note") || +beat.dataset.n <= +(list.querySelector("[data-n]")?.dataset.n ?? 0)) continue;
    const li = document.createElement("li");
    li.dataset.n = beat.dataset.n;
    li.append(line.cloneNode(true));
    list.prepend(li);
  }
  const lines = [...list.querySelectorAll("[data-n]")];
  lines.splice(LINES).forEach(li => li.remove());
  if (!+known) return;
  list.querySelector(".since")?.remove();
  for (const li of lines) li.classList.toggle("new", +li.dataset.n > known);
  const old = lines.findIndex(li => +li.dataset.n <= known);
  if (old < 1) return;
  const mark = document.createElement("li");
  mark.className = "since";
  mark.ariaHidden = "true";
  mark.textContent = list.dataset.since;
  lines[old].before(mark);
}

// The new parts take the place of the old. Pieces that nobody has seen move (an undo, a skip) glide.
// One change after the other: a transition takes its picture of the old page before the next change is put in.
let last = Promise.resolve(), gliding = [];
const swap = (...args) => { last = last.then(() => change(...args)).catch(console.error); return last; };

function change(news, played = false, clear = () => {}) {
  const olds = news.map(n => document.getElementById(n.id)).filter(Boolean);
  const moved = played ? [] : movers(olds, news);
  const put = () => {
    const m = remember(olds), adrift = document.activeElement === document.body || document.activeElement?.closest("#now");
    const found = lost && adrift && news.some(n => n.id === "act" || n.id === "part-prompt");
    if (found) m.focus = lost.focus ?? {};
    for (const n of news) document.getElementById(n.id)?.replaceWith(n);
    clear();
    restore(m);
    if (found && document.activeElement !== document.body) lost = null; // what is still being played may hide all of it
    tell(news);
    const turn = news.find(n => n.dataset.turn)?.dataset.turn;
    if (turn) title(turn);
    if (turn === "you") oops.textContent = "";
    live.dispatchEvent(new CustomEvent("veillee:swapped", { detail: { moved: moved.length, played } }));
  };
  if (!document.startViewTransition || isCalm() || document.hidden || !moved.length) return put();
  label(gliding, 1, false); // a glide that is still on its way is cut short
  gliding = moved;
  label(moved, 0, true);
  const vt = document.startViewTransition(() => { label(moved, 0, false); put(); label(moved, 1, true); });
  vt.ready.catch(() => {}); // skipped by a newer one, or the tab was hidden: the swap is done all the same
  vt.finished.finally(() => label(moved, 1, false)).catch(() => {});
  return vt.updateCallbackDone;
}
const title = turn => { document.title = (turn === "you" ? "● " : "") + document.title.replace(/^● /, ""); };

// ---- 2. listen --------------------------------------------------------------------------------------------------------
let isHasty = false; // what happens is skipped: the bots need not wait for it
let source, stage, at = live?.dataset.at; // what the page has got
function listen() {
  source?.close();
  const heard = Math.max(0, ...[...document.querySelectorAll("[data-said]")].map(e => +e.dataset.said));
  const talk = document.getElementById("said") ? `&talk=${heard}` : "", seen = document.hidden ? 0 : 1; // who looks is here
  source = new EventSource(`${live.dataset.live}at=${at}${talk}&seen=${seen}${isHasty ? "&hasty" : ""}`);
  source.addEventListener("parts", e => { at = e.lastEventId; sessionStorage.removeItem("silent"); arrive(e.data); });
  source.addEventListener("talk", e => live.dispatchEvent(new CustomEvent("veillee:talk", { detail: e.data })));
  source.addEventListener("go", () => location.reload());
  source.onopen = () => { link.hidden = true; };
  source.onerror = () => {
    if ("away" in live.dataset && at === live.dataset.at) return location.replace("?now"); // nothing is told: then the present at once
    link.hidden = false;
    if (source.readyState === EventSource.CLOSED) setTimeout(refused, 3000, source.url);
  };
}
// A stream that is refused does not say why: a table that was cleared away meanwhile is told by the page itself.
async function refused(url) {
  const answer = await fetch(url).catch(() => null);
  answer?.body?.cancel();
  if (answer?.status === 404) location.reload(); else listen();
}
function hasten(now) {
  if (now === isHasty) return;
  isHasty = now;
  listen();
}
// Something on the way keeps what the stream says to itself (a proxy that buffers): the page is asked for instead; the second
// time in a row it goes on as without JavaScript.
const SILENCE = 6000, silent = () => +sessionStorage.getItem("silent");
function expect(had) {
  setTimeout(() => {
    if (at !== had) return;
    sessionStorage.setItem("silent", silent() + 1);
    location.replace("?now");
  }, SILENCE);
}
// The browser has the noscript of a page as text, but that of a template as nodes: a script would find answers on the board
// that nobody sees.
function read(html) {
  const box = document.createElement("template");
  box.innerHTML = html;
  for (const unseen of box.content.querySelectorAll("noscript")) unseen.remove();
  return box.content;
}
const parts = html => [...read(html).querySelectorAll("[data-part]")];
function arrive(html) {
  const turn = html.match(/data-turn="(\w+)"/)?.[1]; // the tab says at once whose turn it is
  if (turn) title(turn);
  if (stage) stage.arrive(read(html), at); else swap(parts(html));
}

// ---- 3. post ------------------------------------------------------------------------------------------------------------
async function send(event) {
  const form = event.target, button = event.submitter;
  if (form.method !== "post") return;
  if (!form.hasAttribute("data-post")) { source.close(); return; } // the next page is on its way, with the cookie of who sits down: nothing may cut it short
  event.preventDefault();
  const aside = button?.hasAttribute("data-aside"); // asks for advice: one may move while it is thought about
  const busy = aside ? button : form;
  if (busy.dataset.busy) return; // a double click is one move
  busy.dataset.busy = "1";
  oops.textContent = "";
  try {
    const body = new URLSearchParams(new FormData(form, button));
    const address = button?.hasAttribute("formaction") ? button.formAction : form.action;
    const had = at;
    if (!aside && stage) { stage.flush(); stage.hasSent = !button?.hasAttribute("formaction"); } // an early answer skips the rest
    const answer = await fetch(address, { method: "POST", body, headers: { "X-Live": "1" } });
    if (answer.status === 204) expect(had);
    else if (answer.status === 200) swap(parts(await answer.text())); // advice, or a question back
    else if (!answer.ok && !(aside && answer.status === 409)) oops.textContent = await answer.text(); // advice on an old board: never mind
  } catch { oops.textContent = oops.dataset.offline; }
  finally { delete busy.dataset.busy; }
}

// A key that is held is pressed once. The second click of two is none on another thing, which has come into its place meanwhile.
let clicked = {}; // by the first
function once(event) {
  const thing = event.target.closest?.("[form=act], [data-post] button, label.pick");
  if (event.type === "click" && event.detail < 2) clicked = thing ? known(thing) : { stamp: stamp() };
  const repeats = event.type === "click" ? thing && clicked.stamp !== stamp() && !isSame(clicked, thing)
    : event.repeat && event.key === "Enter" && event.target.closest?.("button");
  if (!repeats) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

// Enter on the first answer of a move goes on to the buttons that end it.
function onwards(event) {
  if (event.key !== "Enter" || !event.target.matches?.("input[type=radio][name^='a.']")) return;
  event.preventDefault();
  event.target.checked = true;
  document.querySelector("button[form=act][name^='a.']")?.focus();
}

// What was shown last, for a page that is loaded later: it begins there ("since you left").
function shown() {
  if (document.hidden || !live.dataset.at) return;
  document.cookie = `at=${live.dataset.at}; path=${live.dataset.table}; max-age=2592000; samesite=lax`;
}

// How fast it is shown (settings.js has sent it).
function setSpeed({ detail: { name, value } }) {
  if (name !== "speed") return;
  live.dataset.speed = value;
  if (value === "once") stage?.flush();
  listen(); // the bots wait as long as it is shown
}

if (live && (!window.EventSource || silent() > 1)) { // as without JavaScript
  if ("away" in live.dataset) location.replace("?now");
  for (const hidden of document.querySelectorAll("main noscript")) hidden.outerHTML = hidden.textContent;
} else if (live) {
  document.documentElement.classList.add("js");
  document.addEventListener("click", once, true);
  document.addEventListener("keydown", once, true);
  document.addEventListener("submit", send);
  document.addEventListener("keydown", onwards);
  document.addEventListener("veillee:setting", setSpeed);
  if (live.dataset.pace) {
    const { Stage } = await import(`./playback.js${new URL(import.meta.url).search}`);
    stage = new Stage(live, { put: swap, say: speak, write, shown, hold, hasten });
    stage.begin(document.cookie.split("; ").includes(`at=${live.dataset.at}`));
    shown();
  }
  listen();
  document.addEventListener("visibilitychange", listen);
  addEventListener("pagehide", () => source.close()); // frees one of the browser's six connections at once
  addEventListener("pageshow", e => { if (e.persisted) listen(); });
}
