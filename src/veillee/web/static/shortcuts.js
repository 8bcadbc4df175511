// shortcuts.js: single keys at a table. A digit leads to that answer, Enter then gives it: nothing is chosen unread. "?" shows
// them all, where they can be switched off, as in the settings.
const sheet = document.getElementById("keys"), toggle = document.getElementById("keys-on");

const isShown = e => e.getClientRects().length > 0 && !e.disabled && e.ariaDisabled !== "true" && !e.closest("[inert], dialog:not([open])");
const answers = () => [...document.querySelectorAll("button[form=act][name=a], #act button[name=a]")].filter(isShown);
const press = id => { const e = document.getElementById(id); if (e && isShown(e)) e.click(); };

const KEYS = {
  u: () => press("undo"),
  h: () => press("ask-hint"),
  c: () => document.getElementById("prompt")?.focus(),
  p: () => {
    const words = document.getElementById("in-words");
    if (words?.open) document.getElementById("position-text")?.focus();
    else if (words) words.open = true;
  },
};

if (sheet && toggle) {
  document.getElementById("close-keys").addEventListener("click", () => sheet.close());
  document.getElementById("to-keys").hidden = false;
  document.getElementById("to-keys").addEventListener("click", () => sheet.showModal());
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (event.target.closest("input:not([type=checkbox], [type=radio]), select, textarea")) return;
    if (document.querySelector("dialog[open]") || !toggle.checked) return;
    if (event.key === "?") { sheet.showModal(); return; }
    const number = "123456789".indexOf(event.key);
    if (number >= 0) answers()[number]?.focus();
    else KEYS[event.key]?.();
  });
}
