// live.js: makes a server-rendered table live. Everything works without it (POST + redirect); this only saves the reload.
// What it needs of the page is written down in docs/add-a-game.md, "The board". No library, no build, CSP script-src 'self'.
const live = document.querySelector("[data-live]");
const say = document.getElementById("say"); // polite live region, outside every part: it must survive swaps
const oops = document.getElementById("oops");
const link = document.getElementById("link");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const MAX_MOVERS = 40;

// ---- 1. swap parts --------------------------------------------------------------------------------------------------
function remember(parts) {
  const here = document.activeElement;
  const inside = here && parts.some(p => p.contains(here));
  return {
    focus: inside ? here.id : null,
    group: inside ? here.closest("[data-focus]")?.dataset.focus : null,
    inside,
    open: [...document.querySelectorAll("details[id]")].map(d => [d.id, d.open]),
    scroll: [...document.querySelectorAll("[data-scroll][id]")].map(e => [e.id, e.scrollLeft, e.scrollTop]),
    checked: [...document.querySelectorAll("input:checked[id]")].map(e => e.id),
  };
}

function restore(m) {
  for (const [id, open] of m.open) { const d = document.getElementById(id); if (d) d.open = open; }
  for (const [id, x, y] of m.scroll) { const e = document.getElementById(id); if (e) e.scrollTo(x, y); }
  for (const id of m.checked) { const e = document.getElementById(id); if (e && !e.disabled) e.checked = true; }
  if (!m.inside) return;
  // the same thing, else its group's first control, else the prompt: focus never falls back to <body>
  const group = m.group ? [...document.querySelectorAll(`[data-focus="${m.group}"] :is(button, input, a[href]):not(:disabled)`)] : [];
  const shown = e => e && e.getClientRects().length > 0 && !e.disabled;
  const to = [m.focus && document.getElementById(m.focus), ...group].find(shown) ?? document.getElementById("prompt");
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

let told = Math.max(0, ...[...document.querySelectorAll("#part-log [data-n]")].map(e => +e.dataset.n));
function tell(news) {
  const lines = news.flatMap(n => [...n.querySelectorAll("[data-n]")]).filter(e => +e.dataset.n > told).reverse();
  if (lines.length) told = Math.max(...lines.map(e => +e.dataset.n));
  const words = [...lines.slice(-6).map(e => e.textContent.trim()), ...news.map(n => n.dataset.say).filter(Boolean)];
  if (words.length) say.textContent = words.join(" ");
}

// One change after the other: a transition takes its picture of the old page before the next change is put in.
let last = Promise.resolve(), gliding = [];
const swap = html => { last = last.then(() => change(html)).catch(() => {}); };

function change(html) {
  const box = document.createElement("template");
  box.innerHTML = html;
  const news = [...box.content.querySelectorAll("[data-part]")];
  const olds = news.map(n => document.getElementById(n.id)).filter(Boolean);
  const moved = movers(olds, news);
  const put = () => {
    const m = remember(olds);
    for (const n of news) document.getElementById(n.id)?.replaceWith(n);
    restore(m);
    tell(news);
    const turn = news.find(n => n.dataset.turn)?.dataset.turn;
    if (turn) {
      document.title = (turn === "you" ? "● " : "") + document.title.replace(/^● /, "");
      if (turn === "you") oops.textContent = "";
    }
    live.dispatchEvent(new CustomEvent("veillee:swapped", { detail: { moved: moved.length } }));
  };
  if (!document.startViewTransition || calm.matches || document.hidden || !moved.length) return put();
  label(gliding, 1, false); // a glide that is still on its way is cut short
  gliding = moved;
  label(moved, 0, true);
  const vt = document.startViewTransition(() => { label(moved, 0, false); put(); label(moved, 1, true); });
  vt.ready.catch(() => {}); // skipped by a newer one, or the tab was hidden: the swap is done all the same
  vt.finished.finally(() => label(moved, 1, false)).catch(() => {});
  return vt.updateCallbackDone;
}

// ---- 2. listen --------------------------------------------------------------------------------------------------------
let source, rev = live?.dataset.rev;
function listen() {
  source?.close();
  source = new EventSource(`${live.dataset.live}rev=${rev}`);
  source.addEventListener("parts", e => { rev = e.lastEventId; swap(e.data); });
  source.addEventListener("go", () => location.reload());
  source.onopen = () => { link.hidden = true; };
  source.onerror = () => { link.hidden = false; if (source.readyState === EventSource.CLOSED) setTimeout(listen, 3000); };
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
    const answer = await fetch(address, { method: "POST", body, headers: { "X-Live": "1" } });
    if (answer.status === 200) swap(await answer.text()); // advice, or a question back
    else if (!answer.ok && !(aside && answer.status === 409)) oops.textContent = await answer.text(); // advice on an old board: never mind
  } catch { oops.textContent = oops.dataset.offline; }
  finally { delete busy.dataset.busy; }
}

// Enter on the first answer of a move goes on to the buttons that end it.
function onwards(event) {
  if (event.key !== "Enter" || !event.target.matches?.("input[type=radio][name^='a.']")) return;
  event.preventDefault();
  event.target.checked = true;
  document.querySelector("button[form=act][name^='a.']")?.focus();
}

// ---- 4. a rule, in a little window ----------------------------------------------------------------------------------------
async function consult(event) {
  const a = event.target.closest?.("a.rule[data-rule]"), box = document.getElementById("rule-box");
  if (!a || !box?.showModal || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  try {
    const answer = await fetch(a.dataset.rule);
    if (!answer.ok) throw new Error(answer.statusText);
    box.querySelector("h2").textContent = a.textContent;
    box.querySelector("div").innerHTML = await answer.text(); // our own rulebook
    for (const cited of box.querySelectorAll("div a[href^='#']")) cited.href = a.href.replace(/#.*/, "") + cited.hash;
    box.querySelector("p > a[href^='/rules']").href = a.href;
    box.showModal();
  } catch { location.assign(a.href); }
}

function copying() {
  const button = document.getElementById("copy"), field = document.getElementById("invitation");
  if (!button || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => { await navigator.clipboard.writeText(field.value); button.textContent = button.dataset.copied; });
}

if (live) {
  document.documentElement.classList.add("js");
  document.addEventListener("submit", send);
  document.addEventListener("click", consult);
  document.addEventListener("keydown", onwards);
  copying();
  live.addEventListener("veillee:swapped", copying);
  listen();
  addEventListener("pagehide", () => source.close()); // frees one of the browser's six connections at once
  addEventListener("pageshow", e => { if (e.persisted) listen(); });
}
