// Arrange a deployment freely: drag a card to a row, or touch the card and then the row, or the row and then the card, or
// use the marks under it.
// The radio buttons under the cards hold the answers; this module only shows them where they are meant. Without it the
// page asks question by question.
const WHERE = ["front", "back", "save", "discard"];
const WEIGHED = 150; // milliseconds after the last change
const plan = () => document.querySelector("#pt-plan.whole");
const things = p => [...p.querySelectorAll(".pt-thing")].sort((a, b) => a.dataset.i - b.dataset.i);
const chosen = thing => thing.querySelector(".pt-where input:checked")?.dataset.zone;
const option = (thing, zone) => thing.querySelector(`.pt-where input[data-zone="${zone}"]`);
let held = null, aimed = null; // a card that looks for its row; a row that waits for a card

function choose(thing, zone) {
  const input = option(thing, zone);
  if (!input) return;
  input.checked = true;
  show(input);
}

// Only one card is saved: the last one chosen.
function onlyOneSaved(p, last) {
  for (const thing of things(p)) if (thing !== last && chosen(thing) === "save") option(thing, "discard").checked = true;
}

// Of equal cards the first takes the first place (PT-2.2.1): which of them it is makes no difference to a person.
function inOrder(p) {
  const groups = Map.groupBy ? Map.groupBy(things(p), key) : group(things(p));
  for (const same of groups.values()) {
    const zones = same.map(chosen).sort((a, b) => WHERE.indexOf(a) - WHERE.indexOf(b));
    same.forEach((thing, i) => { option(thing, zones[i]).checked = true; });
  }
}
const key = thing => [thing.dataset.kind, thing.dataset.age, "old" in thing.dataset].join();
function group(list) {
  const groups = new Map();
  for (const thing of list) groups.set(key(thing), [...(groups.get(key(thing)) ?? []), thing]);
  return groups;
}

function show(changed) {
  const p = plan();
  if (!p) return;
  const focus = document.activeElement;
  if (changed) {
    const thing = changed.closest(".pt-thing");
    if (changed.dataset.zone === "save") onlyOneSaved(p, thing);
  }
  const count = { front: 0, back: 0 };
  let cost = 0;
  for (const thing of things(p)) {
    const zone = chosen(thing);
    p.querySelector(`[data-zone="${zone}"] .pt-spots`)?.append(thing);
    if (zone in count) { count[zone] += 1; cost += +thing.dataset.cost; }
  }
  const left = +p.dataset.gold - cost;
  let full = false;
  for (const zone of ["front", "back"]) {
    const box = p.querySelector(`.pt-zone.${zone}`), room = +p.dataset[zone], much = count[zone] > room;
    box.classList.toggle("full", much);
    box.querySelector(".pt-room").textContent = `${count[zone]} / ${room}`;
    full ||= much;
  }
  const told = document.getElementById("pt-cost"), of = told.dataset;
  const words = left < 0 ? of.short.replace("{gold}", -left) : of.free.replace("{gold}", left);
  told.textContent = `${words} · ${full ? of.full : of.strength.replace("{n}", of.war)}`;
  told.classList.toggle("bad", full || left < 0);
  if (changed) weigh();
  document.getElementById("deploy").classList.toggle("no", full || left < 0); // pressed all the same, the rule is named
  if (focus && focus !== document.activeElement && p.contains(focus)) focus.focus({ preventScroll: true });
}

// -- what the draft is worth: the house says it, a moment after the last change
let weighing = 0;
function weigh() {
  clearTimeout(weighing);
  const at = weighing = setTimeout(async () => {
    const p = plan(), act = document.getElementById("act");
    if (!p || !act) return;
    const body = new URLSearchParams(new FormData(act));
    const answer = await fetch(act.action.replace(/act$/, "draft"), { method: "POST", body, headers: { "X-Live": "1" } }).catch(() => null);
    if (answer?.status !== 200 || at !== weighing || !p.isConnected) return; // asked in the meantime, or answered
    const worth = await answer.json(), told = document.getElementById("pt-cost");
    things(p).forEach((thing, i) => {
      const { power, fights } = worth.things[i];
      thing.querySelector(".pt-power").textContent = power;
      thing.querySelector(".pt-str").classList.toggle("off", !fights);
    });
    for (const zone of ["front", "back"]) p.querySelector(`.pt-zone.${zone} .pt-sum > span:last-child`).textContent = worth.strength[zone];
    told.dataset.war = worth.strength.war;
    show();
  }, WEIGHED);
}

function aim(zone) {
  aimed?.classList.remove("over");
  aimed = aimed === zone ? null : zone;
  aimed?.classList.add("over");
}

function hold(thing) {
  held?.classList.remove("held");
  held = held === thing ? null : thing;
  held?.classList.add("held");
  for (const zone of document.querySelectorAll("#pt-plan .pt-zone")) zone.classList.toggle("aim", !!held && zone.dataset.zone !== chosen(held) && !!option(held, zone.dataset.zone));
}

function touch(event) {
  const p = plan();
  if (!p || event.target.closest(".pt-where, button, a")) return;
  const thing = event.target.closest(".pt-thing"), zone = event.target.closest(".pt-zone");
  if (held && zone && zone.dataset.zone !== chosen(held) && option(held, zone.dataset.zone)) {
    const moved = held;
    hold(null);
    choose(moved, zone.dataset.zone);
  } else if (thing && aimed && aimed.dataset.zone !== chosen(thing) && option(thing, aimed.dataset.zone)) {
    choose(thing, aimed.dataset.zone);
    aim(null);
  } else if (thing && p.contains(thing)) { aim(null); hold(thing); }
  else if (zone && p.contains(zone)) aim(zone);
}

// -- dragging
function lift(event) {
  const thing = event.target.closest?.("#pt-plan.whole .pt-thing");
  if (!thing) return;
  event.dataTransfer.setData("text/plain", thing.id);
  event.dataTransfer.effectAllowed = "move";
  thing.classList.add("dragging");
}
function over(event) {
  const zone = event.target.closest?.("#pt-plan.whole .pt-zone");
  for (const other of document.querySelectorAll("#pt-plan .pt-zone.over")) if (other !== zone) other.classList.remove("over");
  if (!zone) return;
  event.preventDefault();
  zone.classList.add("over");
}
function drop(event) {
  const zone = event.target.closest?.("#pt-plan.whole .pt-zone"), thing = document.querySelector("#pt-plan .dragging");
  if (zone && thing) { event.preventDefault(); choose(thing, zone.dataset.zone); }
}
function end() {
  for (const thing of document.querySelectorAll("#pt-plan .dragging")) thing.classList.remove("dragging");
  for (const zone of document.querySelectorAll("#pt-plan .over")) zone.classList.remove("over");
}

// -- taking back a whole deployment: one answer after the other, until nothing is answered
let again = false;
function takeBack() {
  const p = document.getElementById("pt-plan"), undo = document.getElementById("undo");
  again &&= !!p && !!undo && p.dataset.next !== "0";
  if (again) setTimeout(() => document.getElementById("undo")?.click(), 0);
}

function ready() {
  const p = plan(), redo = document.getElementById("redeploy");
  if (redo) redo.hidden = !document.getElementById("undo");
  if (!p) return;
  for (const card of p.querySelectorAll(".pt-thing")) card.draggable = true;
  held = aimed = null;
  show();
}

document.addEventListener("change", event => { if (event.target.matches?.("#pt-plan .pt-where input")) show(event.target); });
document.addEventListener("click", touch);
document.addEventListener("click", event => { if (event.target.id === "redeploy") { again = true; takeBack(); } });
document.addEventListener("submit", event => { if (event.submitter?.id === "deploy" && plan()) inOrder(plan()); }, true);
document.addEventListener("dragstart", lift);
document.addEventListener("dragover", over);
document.addEventListener("drop", drop);
document.addEventListener("dragend", end);
document.querySelector("[data-live]")?.addEventListener("veillee:swapped", () => { ready(); takeBack(); });
ready();
