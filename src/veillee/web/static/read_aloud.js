// read_aloud.js: happenings and questions by the browser's own voice, for players who cannot read yet or do not see. Off until
// wanted (settings.js). While it is on, keys repeat what was said.
const voice = window.speechSynthesis;
const toggle = document.getElementById("aloud"), live = document.querySelector("[data-live]");
const said = document.getElementById("say");

let isOn = false, asked = "", region = -1;

const plain = element => element?.innerText.replace(/\s+/g, " ").trim() ?? "";
const question = () => plain(document.getElementById("prompt"));

function speak(text, { now = false } = {}) {
  if (!isOn || !text) return;
  if (now) voice.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang;
  voice.speak(words);
}

function ask() { // each question once, after what led to it
  const text = question();
  if (text !== asked) speak(text);
  asked = text;
}

function nextRegion() {
  const parts = [...document.querySelectorAll("[data-part][aria-label], [data-part][aria-labelledby]")].filter(e => plain(e));
  if (!parts.length) return "";
  const part = parts[region = (region + 1) % parts.length];
  const label = part.getAttribute("aria-label") ?? plain(document.getElementById(part.getAttribute("aria-labelledby")));
  return `${label}. ${plain(part)}`;
}

const KEYS = {
  q: question,
  l: () => plain(document.querySelector("#part-log [data-n]")),
  s: () => plain(document.getElementById("part-players")),
  r: nextRegion,
};

function turn(on) {
  isOn = toggle.checked = on;
  if (on) { asked = ""; ask(); } else voice.cancel();
}

if (voice && toggle && live) {
  new MutationObserver(() => speak(said.textContent)).observe(said, { childList: true, characterData: true, subtree: true });
  live.addEventListener("veillee:swapped", ask);
  toggle.addEventListener("change", () => turn(toggle.checked));
  addEventListener("keydown", event => {
    if (!isOn || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input:not([type=checkbox], [type=radio]), select, textarea")) return;
    if (event.key === "Escape") voice.cancel();
    const tell = KEYS[event.key];
    if (tell) speak(tell(), { now: true });
  });
  turn(toggle.checked);
}
