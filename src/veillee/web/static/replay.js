// replay.js: looking back without loading the page. Everything works without it: every step is a form or a link.
// The page is drawn at one moment and has the whole chronicle. Other moments are fetched as parts (only those that differ
// from the moment before), some of them ahead, and put in the place of those that stand there.
const bar = document.getElementById("replay");
const LAST = +bar.dataset.last, AHEAD = 40, BEHIND = 12, AT_ONCE = 12; // moments: of the game; fetched ahead, behind, in one request
const KEPT = 300; // moments in memory
const GLIDE = 280, MOST_GLIDES = 40; // milliseconds; pieces
const READING = 28, LEAST = 700, UNSEEN = 350; // milliseconds that a moment rests while playing: for a letter, for its sentences, without any
const SPEEDS = { calm: 1.6, normal: 1, brisk: 0.4, once: 0.1 }; // as at a table; "at once" is how one runs through a game
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const get = id => document.getElementById(id);
const slider = get("at"), said = get("replay-said"), say = get("say"), oops = get("oops"), speed = get("speed"), playButton = get("play");

// ---- 1. the moments --------------------------------------------------------------------------------------------------
const moments = new Map(); // number -> {name of a part: its text}; texts that are the same are kept once
const NOTHING = {};
let shown = NOTHING; // the parts that stand on the page; at first they are not known
let at = +bar.dataset.at, wanted = at, forward = true;

const clamp = n => Math.min(Math.max(n, 0), LAST);
const missing = n => n >= 0 && n <= LAST && !moments.has(n);

async function bring(first, last) {
  const answer = await fetch(`${bar.dataset.moments}at=${first}&to=${last}`, { headers: { "X-Live": "1" } });
  if (answer.status === 409) { location.reload(); await new Promise(() => {}); } // the game has gone on: its moments have other numbers
  if (!answer.ok) throw new Error(answer.statusText);
  let parts = {};
  for (const [i, news] of (await answer.json()).entries()) {
    parts = { ...parts, ...news };
    moments.set(first + i, parts);
  }
  if (moments.size > KEPT) {
    const far = [...moments.keys()].sort((a, b) => Math.abs(b - wanted) - Math.abs(a - wanted));
    for (const n of far.slice(0, moments.size - KEPT)) moments.delete(n);
  }
}

// The moment asked for, alone, so that it comes soon. While a hand drags the slider, the board follows as it can.
let leaping = false;
async function leap() {
  if (leaping) return;
  leaping = true;
  try {
    while (wanted !== at) {
      const n = wanted;
      if (missing(n)) await bring(n, n);
      if (wanted !== at && moments.has(n)) show(missing(wanted) ? n : wanted);
    }
    oops.textContent = "";
  } catch {
    oops.textContent = bar.dataset.offline;
    pause();
    mark(wanted = at);
    keepInView(at);
  } finally { leaping = false; }
  provide();
}

// Those one comes to when one goes on as one does: the next of them that is missing, and some more.
function worth() {
  const ahead = () => { for (let n = wanted; n <= wanted + AHEAD; n++) if (missing(n)) return [n, n + AT_ONCE - 1]; };
  const behind = () => {
    for (let n = wanted - 1; n >= wanted - (forward ? BEHIND : AHEAD); n--) {
      if (!missing(n)) continue;
      let first = n;
      while (n - first < AT_ONCE - 1 && missing(first - 1)) first--;
      return [first, n];
    }
  };
  return forward ? ahead() ?? behind() : behind() ?? ahead();
}

let fetching = false;
async function provide() {
  if (fetching) return;
  fetching = true;
  try {
    for (let range = worth(); range && !leaping; range = worth()) {
      await bring(range[0], Math.min(LAST, range[1]));
      if (shown === NOTHING && moments.has(at)) shown = moments.get(at); // as the page was loaded
    }
  } catch {} // whoever goes there is told
  finally { fetching = false; }
}

// ---- 2. the board ----------------------------------------------------------------------------------------------------
// From one moment to the next. What happened in between could be played here, on the board as it was, before `put` brings
// the board as it is then; for the present the pieces that have moved glide.
function pass(was, is, put, olds, news) {
  const from = Math.abs(is - was) === 1 && !calm.matches && !("still" in document.documentElement.dataset) && !document.hidden ? moved(olds, news) : new Map();
  put();
  const glides = [...from].map(([name, old]) => [piece(name), old]).map(([e, old]) => [e, old, e.getBoundingClientRect()]);
  for (const [e, old, now] of glides) {
    if (!old.width || !now.width) continue;
    const by = `translate(${old.x - now.x}px, ${old.y - now.y}px) scale(${old.width / now.width}, ${old.height / now.height})`;
    e.animate([{ transform: by, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }],
      { duration: GLIDE * Math.min(1, SPEEDS[speed.value]), easing: "ease-in-out" });
  }
}

// Each piece (data-vt) that is somewhere else (data-at) than before, with where it comes from.
const piece = name => document.querySelector(`[data-vt="${CSS.escape(name)}"]`);
function moved(olds, news) {
  const pieces = scopes => new Map(scopes.flatMap(s => [...s.querySelectorAll("[data-vt]")]).map(e => [e.dataset.vt, e]));
  const was = pieces(olds), found = new Map();
  for (const [name, e] of pieces(news)) {
    const before = was.get(name) ?? (e.dataset.from && (was.get(e.dataset.from) ?? piece(e.dataset.from)));
    if (before && was.get(name)?.dataset.at !== e.dataset.at) found.set(name, before.getBoundingClientRect());
  }
  return found.size > MOST_GLIDES ? new Map() : found;
}

function show(n) {
  const parts = moments.get(n), box = document.createElement("template");
  box.innerHTML = Object.keys(parts).filter(name => parts[name] !== shown[name]).map(name => parts[name]).join("");
  const news = [...box.content.children], olds = news.map(part => get(part.id));
  pass(at, n, () => {
    const here = document.activeElement;
    olds.forEach((part, i) => become(part, news[i]));
    if (here !== document.activeElement) ((here.id && get(here.id)) || slider).focus({ preventScroll: true });
  }, olds, news);
  shown = parts;
  at = n;
  bar.dataset.at = n;
  get("main").dispatchEvent(new CustomEvent("veillee:swapped", { detail: { moved: news.length } }));
}

// Most of a part stays as it was: only what differs is touched, which the browser then draws again. What a reader has
// opened stays open, what they have scrolled stays scrolled.
const same = (a, b) => a.nodeName === b.nodeName && a.id === b.id && a.dataset?.vt === b.dataset?.vt && a.childNodes.length === b.childNodes.length;
function become(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (!same(old, fresh)) return old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) { old.data = fresh.data; return; }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS")) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const children = [...fresh.childNodes];
  [...old.childNodes].forEach((child, i) => become(child, children[i]));
}

// ---- 3. the bar and the chronicle ------------------------------------------------------------------------------------
const list = get("chronicle");
const turns = [...list.querySelectorAll("[data-turn]")], starts = turns.map(turn => +turn.dataset.turn);
const lines = Map.groupBy ? Map.groupBy(list.querySelectorAll("[data-moment]"), line => +line.dataset.moment) : group(list.querySelectorAll("[data-moment]"));
function group(all) {
  const groups = new Map();
  for (const line of all) groups.set(+line.dataset.moment, [...(groups.get(+line.dataset.moment) ?? []), line]);
  return groups;
}
const turnAt = n => starts.findLastIndex(start => start <= n);
const told = n => lines.get(n) ?? [];
const sentences = n => told(n).map(line => line.firstElementChild.textContent.trim());

function goals(n) {
  return { first: 0, "turn-back": starts.findLast(start => start < n) ?? 0, back: clamp(n - 1), on: clamp(n + 1), "turn-on": starts[turnAt(n) + 1] ?? LAST, last: LAST };
}

let marked, later;
function mark(n) {
  const heading = turns[turnAt(n)], turn = heading.textContent.trim();
  const place = bar.dataset.place.replace("{n}", n).replace("{all}", LAST);
  slider.value = n;
  slider.setAttribute("aria-valuetext", `${turn}, ${place}`);
  get("replay-turn").textContent = turn;
  get("replay-place").textContent = place;
  said.replaceChildren(...(told(n).length ? told(n).map(sentence) : [paragraph(bar.dataset.unseen)]));
  said.scrollTop = 0;
  for (const [name, goal] of Object.entries(goals(n))) {
    const button = bar.querySelector(`[data-go="${name}"]`);
    button.value = goal;
    button.setAttribute("aria-disabled", goal === n);
  }
  for (const thought of document.querySelectorAll("[data-thought]")) thought.hidden = +thought.dataset.thought !== n;
  const on = get("play-on-at");
  if (on) on.value = n;
  for (const line of told(marked)) line.classList.remove("now");
  for (const line of told(n)) line.classList.add("now");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  heading.setAttribute("aria-current", "step");
  marked = n;
  clearTimeout(later);
  later = setTimeout(() => remember(n), 200); // whoever runs through the game hears and keeps where they stop
}

function paragraph(...content) {
  const p = document.createElement("p");
  p.append(...content);
  return p;
}
function sentence(line) {
  const [text, ...rule] = line.children;
  return paragraph(text.textContent.trim(), " ", ...rule.map(link => link.cloneNode(true)));
}

function keepInView(n) {
  const line = told(n)[0] ?? turns[turnAt(n)];
  const by = line.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (by < 0 || by > list.clientHeight - 60) list.scrollTop += by - list.clientHeight / 3;
}

const address = n => `${location.pathname}?${bar.dataset.from ? `from=${bar.dataset.from}&` : ""}at=${n}`;
function remember(n) {
  say.textContent = sentences(n).slice(0, 6).join(" ") || bar.dataset.unseen;
  try { history.replaceState(null, "", address(n)); } catch {} // some browsers count how often this is done
  for (const field of document.querySelectorAll(".settings [name=back]")) field.value = address(n);
}

// ---- 4. going there --------------------------------------------------------------------------------------------------
function go(n) {
  n = clamp(n);
  if (n === wanted) return;
  forward = n > wanted;
  wanted = n;
  mark(n); // everything is written before anything is measured: one layout for a step
  if (moments.has(n)) show(n);
  keepInView(n);
  if (wanted === at) provide();
  else leap();
}
const walk = n => { pause(); go(n); };

let playing = null;
function rest(n) {
  const letters = sentences(n).join(" ").length;
  return (letters ? LEAST + READING * Math.min(letters, 220) : UNSEEN) * SPEEDS[speed.value];
}
function next() {
  playing = setTimeout(() => {
    if (at === wanted) go(at + 1); // else the moment before is still on its way
    if (wanted === LAST) pause();
    else next();
  }, rest(wanted));
}
function play() {
  if (wanted === LAST) go(0);
  next();
  tellPlaying();
}
function pause() {
  clearTimeout(playing);
  playing = null;
  tellPlaying();
}
function tellPlaying() {
  const name = playing === null ? playButton.dataset.play : playButton.dataset.pause;
  playButton.classList.toggle("playing", playing !== null);
  playButton.setAttribute("aria-label", name);
  playButton.title = name;
}
const toggle = () => (playing === null ? play() : pause());

// Arrows, Home, End and space, unless what has the focus needs them itself.
function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("select, textarea, dialog[open], input:not(#at)")) return;
  const aside = event.target.closest?.("[data-scroll]");
  const there = goals(wanted);
  const goal = { ArrowLeft: event.shiftKey ? "turn-back" : "back", ArrowRight: event.shiftKey ? "turn-on" : "on", Home: "first", End: "last" }[event.key];
  if (goal && !(event.key.startsWith("Arrow") && aside && aside.scrollWidth > aside.clientWidth)) walk(there[goal]);
  else if (event.key === " " && !event.target.closest?.("button, summary")) toggle();
  else return;
  event.preventDefault();
}

function ready() {
  document.documentElement.classList.add("js");
  document.addEventListener("keydown", key);
  slider.addEventListener("input", () => walk(+slider.value));
  get("steps").addEventListener("submit", event => { event.preventDefault(); walk(+event.submitter.value); });
  list.addEventListener("click", event => {
    const link = event.target.closest("[data-turn], [data-moment] > a:not(.rule)");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    walk(+(link.dataset.turn ?? link.parentElement.dataset.moment));
  });
  playButton.addEventListener("click", toggle);
  playButton.hidden = get("pace-of-play").hidden = get("replay-keys").hidden = false;
  document.addEventListener("visibilitychange", () => { if (document.hidden) pause(); });
  get("looking")?.addEventListener("change", event => event.target.form.submit());
  const copy = get("copy-moment");
  copy.hidden = !navigator.clipboard;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.origin + address(wanted));
    copy.lastElementChild.textContent = copy.dataset.copied;
  });
  keepInView(at);
  marked = at;
  provide();
}
ready();
