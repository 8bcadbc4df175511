"""Measures what a player sees of a table without scrolling: nothing out of view, cut off, covered or unlabelled."""

from __future__ import annotations

from collections.abc import Iterable

from playwright.sync_api import Page

SIZES = ((1280, 720), (844, 390), (390, 844), (1366, 768), (320, 640), (1440, 900))
TIGHT = ((1280, 720), (390, 844))  # a laptop and a telephone: where a question of its own kind has least room
SMALLEST = 12  # px

# What is wrong with the page in the window, as sentences.
MEASURE = """smallest => {
  const wrong = [], W = innerWidth, H = document.documentElement.clientHeight;
  const shown = e => e.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && e.getClientRects().length;
  const box = e => e.getBoundingClientRect();
  const within = (r, of, by) => r.left >= of.left - by && r.right <= of.right + by && r.top >= of.top - by && r.bottom <= of.bottom + by;
  const inside = r => r.left >= -1 && r.right <= W + 1 && r.top >= -1 && r.bottom <= H + 1;
  const size = r => `${Math.round(r.left)},${Math.round(r.top)} ${Math.round(r.width)}×${Math.round(r.height)}`;
  const called = e => `${e.tagName.toLowerCase()}${e.id ? "#" + e.id : ""}.${[...e.classList].join(".")} “${e.textContent.replace(/\\s+/g, " ").trim().slice(0, 40)}” at ${size(box(e))}`;
  const clipped = e => { while (e && getComputedStyle(e).clipPath === "none") e = e.parentElement; return e; }; // for those who listen
  const at = r => document.elementFromPoint(Math.min(W - 1, Math.max(0, r.left + r.width / 2)), Math.min(H - 1, Math.max(0, r.top + r.height / 2)));

  // the question
  const words = [...document.querySelectorAll("#prompt, #part-prompt .question")].filter(shown);
  if (!words.length) wrong.push("there is no question");
  for (const e of words) {
    if (!inside(box(e))) wrong.push("the question is out of view: " + called(e));
    else { const hit = at(box(e)); if (hit && !e.contains(hit) && !hit.contains(e)) wrong.push("the question is covered by " + called(hit)); }
  }

  // its answers: an answer may stand twice, once in view is enough
  const answers = [...document.querySelectorAll("[form=act]:is(button, input):not([formaction], [hidden], [disabled], [aria-disabled])")].filter(shown);
  const seen = new Map();
  for (const e of answers) {
    const key = e.name + "=" + e.value, strip = e.closest("[data-scroll]");
    let fault = "";
    const r = box(e);
    const lid = [...function* (up) { while ((up = up.parentElement) && !up.matches("body")) if (getComputedStyle(up).overflowY !== "visible" && up.getClientRects().length) yield up; }(e)];
    const cut = !strip?.getClientRects().length && lid.find(up => box(up).height && !within(r, box(up), 1.5));
    if (strip?.getClientRects().length && inside(box(strip)) && !within(r, box(strip), 1)) fault = ""; // one scrolls to it without leaving the place
    else if (cut) fault = "cut by " + called(cut);
    else if (!inside(r)) fault = "out of view";
    else {
      const hit = at(r), label = e.closest("label");
      if (hit && !(e.contains(hit) || label?.contains(hit) || hit === label)) fault = "covered by " + called(hit);
    }
    if (fault ? !seen.has(key) : seen.get(key) !== "") seen.set(key, fault && `an answer is ${fault}: ${called(e.closest("label") ?? e)}`);
  }
  wrong.push(...[...seen.values()].filter(Boolean));

  // no two answers in one place
  const part = e => { // of it that shows: what has been scrolled out of a strip lies in nobody's way
    const r = box(e), strip = e.closest("[data-scroll]");
    if (!strip) return r;
    const s = box(strip), left = Math.max(r.left, s.left), right = Math.min(r.right, s.right);
    return { left, right, top: r.top, bottom: r.bottom, width: Math.max(0, right - left), height: r.height };
  };
  const spots = answers.filter(e => e.tagName === "BUTTON" || e.type === "radio").map(e => [e, part(e)]);
  for (const [i, [e, a]] of spots.entries()) for (const [f, b] of spots.slice(i + 1)) {
    const w = Math.min(a.right, b.right) - Math.max(a.left, b.left), h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (w > 4 && h > 4 && w * h > .12 * Math.min(a.width * a.height, b.width * b.height)) wrong.push(`${called(e)} and ${called(f)} overlap`);
  }

  // nothing sideways
  const root = document.scrollingElement;
  if (root.scrollWidth > W) {
    const wide = [...document.body.querySelectorAll("*")].filter(e => shown(e) && box(e).right > W + 1 && !e.closest("[data-scroll], .sr, svg")).slice(0, 2);
    wrong.push(`the page is ${root.scrollWidth} px wide: ${wide.map(called)}`);
  }

  // words: big enough, whole, not under a bar, and not one upon the other
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = new Set(), cut = new Set(), lines = [], block = e => e.closest(".stage, .mine, .desk, .players, .log, .final, .top, .foot");
  while (walk.nextNode()) {
    const text = walk.currentNode, e = text.parentElement;
    if (!text.data.trim() || clipped(e) || e.closest(".sr, legend, script, style, noscript, template, option, .skip") || !shown(e)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const r = range.getBoundingClientRect();
    if (!r.width || !r.height) continue;
    const scale = e instanceof SVGElement ? e.getScreenCTM().a : 1, px = parseFloat(getComputedStyle(e).fontSize) * scale;
    if (px < smallest - .01) small.add(`${px.toFixed(1)} px: ${called(e)}`);
    if (!e.closest(".middle, .players, .final")) continue;
    for (let holder = e; holder && !holder.matches("[data-part], .middle"); holder = holder.parentElement) {
      const style = getComputedStyle(holder);
      if (holder.matches("[data-scroll]") || style.overflowX === "visible" && style.overflowY === "visible") continue;
      if (!within(r, box(holder), 4)) cut.add("cut: " + called(e) + " in " + called(holder));
      break;
    }
    if (!inside(r) || e.closest("[data-scroll]") || getComputedStyle(e).opacity === "0") continue;
    const hit = at(r), mine = block(e), other = hit && block(hit);
    if (mine && other && mine !== other && !mine.contains(other) && !other.contains(mine)) cut.add(`covered: ${called(e)} by ${called(hit)}`);
    else for (const line of range.getClientRects()) lines.push([e, line]);
  }
  for (const [i, [e, a]] of lines.entries()) for (const [f, b] of lines.slice(i + 1)) if (e !== f) {
    const w = Math.min(a.right, b.right) - Math.max(a.left, b.left), h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (w > 2 && h > 2 && w * h > .3 * Math.min(a.width * a.height, b.width * b.height) && block(e) === block(f)) cut.add(`${called(e)} and ${called(f)} overlap`);
  }
  wrong.push(...small, ...cut);

  // pictures: with words beside them, or on touching them
  const letters = e => { const copy = e.cloneNode(true); copy.querySelectorAll(".sr, svg").forEach(x => x.remove()); return copy.textContent.match(/\\p{L}/gu)?.length ?? 0; };
  const unsaid = new Map();
  for (const svg of document.querySelectorAll(":is(.middle, .players) svg:has(use)")) {
    if (!shown(svg) || svg.parentElement.closest("svg") || svg.closest("[title], [data-tip]")) continue;
    let near = svg.parentElement;
    for (let i = 0; i < 2 && letters(near) < 3; i++) near = near.parentElement;
    if (letters(near) < 3) unsaid.set(svg.querySelector("use").getAttribute("href").split("#")[1], svg.parentElement);
  }
  for (const [name, e] of unsaid) wrong.push(`nothing says what ${name} is: ${called(e)}`);
  return wrong;
}"""

# Where the question and its answers are; then with advice and "why not?" open.
PLACES = """() => Object.fromEntries([...document.querySelectorAll("#prompt, .question, [form=act]:is(button, input)")].map(
  (e, i) => [`${i} ${e.id}`, Object.values(e.getBoundingClientRect().toJSON()).slice(0, 4).map(Math.round).join()]))"""
OPEN = """() => {
  const why = document.getElementById("why-not"), advice = document.querySelector(".advice");
  if (why) why.open = true;
  if (advice) advice.innerHTML = "<p><b>Do this.</b> " + "A long reason for it. ".repeat(9) + "</p>";
}"""
SHUT = """() => {
  const why = document.getElementById("why-not"), advice = document.querySelector(".advice");
  if (why) why.open = false;
  if (advice) advice.innerHTML = "";
}"""


# What happens is told while a question is open: with that sentence on show, what is in the way of it, and of what it is.
TOLD = """() => {
  const now = document.getElementById("now"), wrong = [], W = innerWidth, H = document.documentElement.clientHeight;
  const shown = e => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length;
  now.querySelector(".told").textContent = "Somebody does something that takes a sentence of some length to be told, with its rule.";
  document.getElementById("skip").textContent = document.getElementById("skip").dataset.mine;
  now.hidden = false;
  const at = now.getBoundingClientRect();
  if (at.left < 0 || at.top < 0 || at.right > W || at.bottom > H) wrong.push(`what is told is out of view: ${Object.values(at.toJSON()).map(Math.round)}`);
  const open = document.querySelector(".prompt.you") ? document.querySelectorAll("[form=act]:is(button, input):not([formaction], [hidden], [disabled]), #prompt, .question") : [];
  for (const e of open) {
    const r = e.getBoundingClientRect(), w = Math.min(r.right, at.right) - Math.max(r.left, at.left), h = Math.min(r.bottom, at.bottom) - Math.max(r.top, at.top);
    if (shown(e) && w > 4 && h > 4) wrong.push(`what is told covers ${e.id}: ${Math.round(w)}×${Math.round(h)}`);
  }
  now.hidden = true;
  return wrong;
}"""


def faults(page: Page) -> list[str]:
    found: list[str] = page.evaluate(MEASURE, SMALLEST)
    before = page.evaluate(PLACES)
    page.evaluate(OPEN)
    after = page.evaluate(PLACES)
    page.evaluate(SHUT)
    moved = [f"{name}: {place} → {after.get(name)}" for name, place in before.items() if after.get(name) != place]
    told: list[str] = page.evaluate(TOLD)
    return found + told + [f"an open hint moves {name}" for name in moved[:3]]


def faults_at_every_size(page: Page) -> list[str]:
    return faults_at(page, SIZES)


def faults_at(page: Page, sizes: Iterable[tuple[int, int]]) -> list[str]:
    told = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        told += [f"{width}×{height}: {fault}" for fault in faults(page)]
    return told
