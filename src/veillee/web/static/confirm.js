// confirm.js: small courtesies of a table, which the server does without, too.
// 1. The question back ("Are you sure?") is a window of its own; no answer to it changes nothing.
// 2. Place first, then the thing: a place pressed too early is held until what goes there is chosen.
const ask = () => document.getElementById("sure");

function shown() {
  const box = ask();
  if (!box?.open || box.matches(":modal")) return;
  box.close();
  box.showModal();
}
document.addEventListener("click", event => {
  if (event.target.id !== "sure-no") return;
  event.preventDefault();
  ask().close();
});
document.addEventListener("submit", event => { if (event.target.closest("#sure")) ask().close(); });

// ---- what has popped up goes by Esc, by a click beside it, and when the game goes on ---------------------------------------
const popped = () => [...document.querySelectorAll("details[data-pop][open]")];
const asked = () => document.querySelector("#act [name=stamp]")?.value;
let question = asked();
document.addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  for (const box of popped()) {
    const inside = box.contains(document.activeElement);
    box.open = false;
    if (inside) box.querySelector("summary").focus();
  }
});
document.addEventListener("click", event => { for (const box of popped()) if (!box.contains(event.target)) box.open = false; });
document.querySelector("[data-live]")?.addEventListener("veillee:beat", () => { for (const box of popped()) box.open = false; });
document.querySelector("[data-live]")?.addEventListener("veillee:swapped", () => {
  if (question !== asked()) {
    for (const box of popped()) box.open = false;
    document.getElementById("goal")?.remove(); // the first question is answered
  }
  question = asked();
});

// ---- place first --------------------------------------------------------------------------------------------------------
let held = null;
const act = () => document.getElementById("act");
const open = form => [...form.elements].filter(e => e.required && !e.validity.valid);

function hold(button) {
  held?.classList.remove("held");
  held?.removeAttribute("aria-pressed");
  held = held === button ? null : button;
  held?.classList.add("held");
  held?.setAttribute("aria-pressed", "true");
}
document.addEventListener("click", event => {
  const button = event.target.closest?.("button[form=act][name^='a.']"), form = act();
  if (!button || !form || !open(form).length) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  hold(button);
  if (held) document.getElementById("say").textContent = form.dataset.next;
}, true);
document.addEventListener("change", event => {
  const form = act();
  if (!held?.isConnected || event.target.form !== form || open(form).length) return;
  // something else is left to choose (whose guard?): the place is pressed once more when it is
  const more = [...form.elements].filter(e => e.type === "radio" && e.name !== event.target.name && !e.disabled && e.closest("label")?.getClientRects().length);
  if (more.length < 2) form.requestSubmit(held);
});
document.querySelector("[data-live]")?.addEventListener("veillee:swapped", () => { if (!held?.isConnected) held = null; shown(); });
shown();
