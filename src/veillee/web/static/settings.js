// settings.js: the settings as a panel on every page. A change counts at once and is sent; other scripts hear
// "veillee:setting" with its name and value. Without it "Settings" leads to a page with the same form.
const panel = document.getElementById("settings"), opener = document.getElementById("to-settings");
const root = document.documentElement;
const EFFECTS = {
  lang: () => location.reload(),
  theme: value => { if (value === "auto") delete root.dataset.theme; else root.dataset.theme = value; },
  still: value => root.toggleAttribute("data-still", value === "on"),
};

async function set(field) {
  const { name } = field, value = field.type === "checkbox" ? (field.checked ? "on" : "off") : field.value;
  for (const other of document.querySelectorAll(`[data-setting][name="${name}"]`)) {
    if (other.type === "checkbox") other.checked = value === "on";
    else if (other.type === "radio") other.checked = other.value === value;
    else other.value = value;
  }
  const body = new URLSearchParams({ [name]: value });
  await fetch("/prefs", { method: "POST", body, headers: { "X-Live": "1" }, redirect: "manual" }).catch(() => {});
  EFFECTS[name]?.(value);
  document.dispatchEvent(new CustomEvent("veillee:setting", { detail: { name, value } }));
}

document.addEventListener("change", event => { if (event.target.matches?.("[data-setting]")) set(event.target); });
for (const row of document.querySelectorAll("#row-aloud")) row.hidden = !window.speechSynthesis;
if (panel && opener) {
  root.classList.add("has-panel");
  opener.setAttribute("aria-haspopup", "dialog");
  opener.addEventListener("click", event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    panel.showModal();
  });
  panel.addEventListener("click", event => { if (event.target === panel) panel.close(); }); // on the backdrop
  document.getElementById("close-settings").addEventListener("click", () => panel.close());
}
