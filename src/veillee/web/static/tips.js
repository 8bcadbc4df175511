// tips.js: what a thing is, in words, beside it: on hover, on focus, on a long press; and why something was refused,
// beside what was pressed. The words are in the page (title, or data-tip; an empty data-tip means the thing's own text);
// data-show="selector" shows that piece of it large, too. Without this module a title is a title.
const SOON = 350, HELD = 450, READ = 7000; // ms: a pointer rests, a finger stays, a refusal is read
const oops = document.getElementById("oops");
const tip = document.createElement("div");
tip.id = "tip";
tip.setAttribute("aria-hidden", "true"); // screen readers have the words where they stand
tip.hidden = true;
document.body.append(tip);

let over = null, timer = 0, pressed = null, long = false;
const told = "[title], [data-tip]";
const control = "button, a, input, label, summary, select";

function words(thing) {
  if (thing.title) { thing.dataset.tip = thing.title; thing.removeAttribute("title"); } // else the browser says it, too
  return thing.dataset.tip || thing.textContent.replace(/\s+/g, " ").trim();
}

function show(thing, text = words(thing), bad = false) {
  if (!text || !thing.isConnected) return;
  over = thing;
  tip.replaceChildren();
  const piece = thing.dataset.show ? thing.querySelector(thing.dataset.show) : null;
  if (piece) tip.append(piece.cloneNode(true));
  tip.append(Object.assign(document.createElement("p"), { textContent: text }));
  tip.className = `${bad ? "bad" : ""}${piece ? " large" : ""}`;
  tip.hidden = false;
  place(thing.getBoundingClientRect());
}

// Above the thing or below it, where there is room; never outside the window, nor upon a refusal in its own place.
function place(at) {
  const w = tip.offsetWidth, h = tip.offsetHeight, W = document.documentElement.clientWidth, H = innerHeight, gap = 8;
  const said = oops?.textContent.trim() ? oops.getBoundingClientRect() : null;
  const top = said && said.top < at.top + at.height / 2 ? said.bottom : 0;
  const above = at.top - h - gap, below = Math.max(at.bottom, top) + gap;
  const y = above >= top + 4 ? above : below + h <= H - 4 ? below : Math.max(4, H - h - 4);
  const beside = y !== above && y !== below; // neither: beside it, then
  const x = beside ? (at.right + gap + w <= W ? at.right + gap : at.left - gap - w) : at.left + at.width / 2 - w / 2;
  tip.style.left = `${Math.round(Math.min(Math.max(4, x), W - w - 4))}px`;
  tip.style.top = `${Math.round(y)}px`;
}

function hide() {
  clearTimeout(timer);
  if (tip.classList.contains("bad") && !tip.hidden && oops?.classList.contains("sr")) oops.textContent = ""; // it was read
  tip.hidden = true;
  over = null;
}
const later = (what, ms) => { clearTimeout(timer); timer = setTimeout(what, ms); };

// ---- hover and focus --------------------------------------------------------------------------------------------------
document.addEventListener("pointerover", event => {
  if (event.pointerType !== "mouse") return;
  const thing = event.target.closest?.(told);
  if (thing === over) return;
  if (!tip.classList.contains("bad")) hide();
  if (thing) { if (thing.title) words(thing); later(() => show(thing), SOON); }
});
document.documentElement.addEventListener("pointerleave", hide);
document.addEventListener("focusin", event => {
  if (!event.target.matches(":focus-visible")) return;
  const thing = event.target.closest(told) ?? event.target.querySelector(told);
  if (thing) show(thing); else hide();
});
document.addEventListener("focusout", () => { if (!tip.classList.contains("bad")) hide(); });
document.addEventListener("keydown", event => { if (event.key === "Escape") hide(); });
addEventListener("scroll", () => { if (!tip.classList.contains("bad")) hide(); }, true);

// ---- touch: a long press tells and chooses nothing; a thing that cannot be chosen tells at once --------------------------
document.addEventListener("pointerdown", event => {
  pressed = event.target.closest?.(control);
  long = false;
  if (event.pointerType === "mouse") { hide(); return; }
  const thing = event.target.closest(told) ?? pressed?.querySelector(told);
  hide();
  if (thing) later(() => { long = true; show(thing); }, HELD);
});
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { if (!long && tip.hidden) clearTimeout(timer); });
document.addEventListener("contextmenu", event => { if (long) event.preventDefault(); });

document.addEventListener("click", event => {
  if (long) { long = false; event.preventDefault(); event.stopImmediatePropagation(); return; }
  const closed = event.target.closest?.(".no");
  if (closed?.matches("[aria-disabled=true], :has(:disabled)")) {
    event.preventDefault();
    event.stopImmediatePropagation();
    const why = closed.dataset.why ?? words(closed.matches(told) ? closed : closed.querySelector(told) ?? closed);
    if (oops) oops.textContent = why;
    refuse(closed, why);
  } else if (event.target.closest?.(told) && !event.target.closest(control)) show(event.target.closest(told));
}, true);

// ---- refusals: in their own place (#oops), and beside what was pressed ---------------------------------------------------
function refuse(thing, text) { // seen once, beside what was pressed; #oops says it to those who listen
  show(thing, text, true);
  oops?.classList.toggle("sr", !tip.hidden);
  later(() => { hide(); if (oops?.textContent === text) oops.textContent = ""; }, READ);
}
document.addEventListener("submit", event => { pressed = event.submitter ?? pressed; }, true);
if (oops) new MutationObserver(() => {
  const text = oops.textContent.trim();
  if (!text) { oops.classList.remove("sr"); if (tip.classList.contains("bad")) hide(); } else if (pressed?.isConnected && tip.textContent !== text) refuse(pressed, text);
}).observe(oops, { childList: true, characterData: true, subtree: true });
document.querySelector("[data-live]")?.addEventListener("veillee:swapped", () => { if (over && !over.isConnected) hide(); });
