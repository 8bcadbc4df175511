// own_counters.js: on a telephone, one's own counters (Karas, gold, guards …) in the header, in view whatever is scrolled. A copy of
// one's row among the players, which stays the one that is read aloud.
const narrow = matchMedia("(max-width: 640px)"), live = document.querySelector("[data-live]");
const header = document.querySelector("header.top"), own = document.createElement("div");
own.id = "own";
own.ariaHidden = "true";
const DROPPED = ["id", "tabindex", "data-vt", "data-place", "data-tip", "title"];

function copy() {
  const me = document.getElementById("act")?.dataset.me, row = document.querySelector(`#part-players .player.s${me}`);
  const parts = narrow.matches && row ? [...row.querySelectorAll(":scope > dl > div"), row.querySelector(":scope > .glory")] : [];
  own.replaceChildren(...parts.filter(part => part?.textContent.trim()).map(part => {
    const twin = part.cloneNode(true);
    twin.classList.remove("glory");
    for (const e of [twin, ...twin.querySelectorAll("*")]) for (const name of DROPPED) e.removeAttribute(name);
    for (const e of twin.querySelectorAll(".sr")) e.remove();
    return twin;
  }));
  if (own.childElementCount) header.querySelector(".links").before(own);
  else own.remove();
}
if (live && header) {
  copy();
  live.addEventListener("veillee:swapped", copy);
  narrow.addEventListener("change", copy);
}
