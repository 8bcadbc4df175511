// Two comforts of this board; everything works without them: heroes walk square by square, and cards are read aloud.
const live = document.querySelector("[data-live]");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const STEP = 190; // milliseconds for a square
const MOST = 12; // squares walked one by one; further away the hero leaps

// ---- 1. walking -------------------------------------------------------------------------------------------------------
const squares = () => [...document.querySelectorAll(".sd-rings li")];
const standing = () => new Map([...document.querySelectorAll("[data-hero]")].map(e => [e.dataset.hero, +e.dataset.square]));
let stood = standing();

function way(from, to, outer, all) {
  const ahead = from < outer === to < outer && to > from ? to - from : null;
  const round = from >= outer && to >= outer && to < from && from - to > MOST ? all - outer + to - from : null;
  const steps = ahead ?? round;
  if (steps !== null && steps <= MOST) return Array.from({ length: steps }, (_, i) => (from + i + 1 >= all ? from + i + 1 - all + outer : from + i + 1));
  if (from < outer === to < outer && from > to && from - to <= MOST) return Array.from({ length: from - to }, (_, i) => from - i - 1);
  return [to];
}

// A board that arrives in the middle of a walk brings new pawns: they take the walk up where the old ones were.
const walks = new Map(); // hero -> the squares of its walk, and when it began

function walk() {
  const places = squares(), outer = document.querySelector(".sd-rings ol")?.children.length ?? 0;
  const was = stood, time = performance.now();
  stood = standing();
  if (calm.matches || document.hidden) return walks.clear();
  for (const [hero, to] of stood) {
    const under = walks.get(hero), done = under ? (time - under.began) / STEP : 0;
    const rest = under && done < under.path.length - 1 ? under.path.slice(Math.floor(done)) : [was.get(hero) ?? to];
    const end = rest.at(-1), path = end === to ? rest : [...rest, ...way(end, to, outer, places.length)];
    walks.delete(hero);
    if (path.length < 2) continue;
    const late = rest.length > 1 ? (done % 1) * STEP : 0;
    walks.set(hero, { path, began: time - late });
    const middle = n => { const r = places[n].getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
    const [x, y] = middle(to);
    const stops = path.map(n => { const [a, b] = middle(n); return [a - x, b - y]; });
    const frames = stops.flatMap(([dx, dy], i) => [
      ...(i ? [{ transform: `translate(${(stops[i - 1][0] + dx) / 2}px, ${(stops[i - 1][1] + dy) / 2 - 14}px)` }] : []),
      { transform: `translate(${dx}px, ${dy}px)` },
    ]);
    document.querySelector(`[data-hero="${hero}"]`).animate(frames, { duration: STEP * (stops.length - 1), easing: "linear" }).currentTime = late;
  }
}

// ---- 2. reading aloud ---------------------------------------------------------------------------------------------------
const voice = window.speechSynthesis;
const offer = () => { if (voice) for (const b of document.querySelectorAll(".sd-speak[hidden]")) b.hidden = false; };
document.addEventListener("click", event => {
  const text = event.target.closest?.(".sd-speak")?.dataset.speak;
  if (!text || !voice) return;
  voice.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang;
  words.rate = 0.95;
  voice.speak(words);
});

offer();
live?.addEventListener("veillee:swapped", () => { offer(); walk(); });
