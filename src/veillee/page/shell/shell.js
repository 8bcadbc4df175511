// The page that stays: it owns the worker with the house and shows the pages of the house in a frame. The part of the address
// behind # is the address in the house, so that a link to it works on any host.
import { FILES } from "./files.js";
import { language, sentence } from "./sentences.js";

const HERE = new URL("./", location.href.split("#")[0]), BASE = HERE.pathname;
const FIRST_FILES = ["pyodide/pyodide.asm.wasm.gz", "pyodide/python_stdlib.zip.gz", "engine.bundle.gz", "house.bundle.gz"];
const [frame, bar, said, progress, renew, close] = ["house", "bar", "said", "progress", "renew", "close"].map(id => document.getElementById(id));
const channel = new BroadcastChannel(`veillee ${BASE}`);
const KEEP_AFTER_MS = 4000; // what is not needed yet comes after the first board
let isOpen = false; // whether the house is there
let wanted = null; // what was pressed on the static shelf before the house was there

document.documentElement.dataset.started = "yes"; // guard.js
document.documentElement.lang = language();
frame.src = `shelf.${language()}.html`;
frame.addEventListener("load", () => { if (!isHouse()) listenToShelf(); else onShown(); });
start().catch(error => fail(error));

async function start() {
  for (const [what, there] of [["WebAssembly", globalThis.WebAssembly], ["DecompressionStream", globalThis.DecompressionStream], ["Web Locks", navigator.locks]]) {
    if (!there && isSecureContext) throw new Error(`old:${what}`);
  }
  if (!navigator.serviceWorker || !navigator.locks) throw new Error("insecure:");
  offerUpdates(await navigator.serviceWorker.register("sw.js"));
  await controlled();
  const ready = new Promise(resolve => channel.addEventListener("message", ({ data }) => { if (data.what === "ready" || data.what === "here") resolve(); }));
  startHouse();
  channel.postMessage({ what: "who is there" }); // perhaps another window has it
  await ready;
  isOpen = true;
  addEventListener("hashchange", open);
  open();
  setTimeout(() => navigator.serviceWorker.controller.postMessage({ what: "keep" }), KEEP_AFTER_MS);
}

function startHouse() {
  const worker = new Worker("house_worker.js", { type: "module", name: "house" });
  worker.onerror = event => fail(new Error(event.message ?? "broken:house_worker.js"));
  worker.onmessage = ({ data }) => {
    if (data.what === "starting") { progress.value = 0.85; tell("starting"); }
    else if (data.what === "replaced") location.reload();
    else if (data.what === "unsaved") warn(sentence("unsaved"));
    else if (data.what === "failed") fail(new Error(data.reason));
  };
}

const total = FIRST_FILES.reduce((sum, name) => sum + FILES[name][0], 0);
let loaded = 0;
channel.addEventListener("message", ({ data }) => {
  if (data.what !== "loaded" || isHouse()) return;
  loaded += data.bytes;
  progress.value = 0.8 * loaded / total;
  tell("loading", { done: megabytes(loaded), total: megabytes(total) });
});

const megabytes = bytes => (bytes / 1e6).toLocaleString(language(), { maximumFractionDigits: 1, minimumFractionDigits: 1 });
const tell = (name, values) => { if (!bar.dataset.warned && !bar.dataset.failed) said.textContent = wanted ? `${sentence("opening")} ${sentence(name, values)}` : sentence(name, values); };

async function controlled() {
  const changed = new Promise(done => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
  const { active } = await navigator.serviceWorker.ready;
  if (navigator.serviceWorker.controller) return;
  active.postMessage({ what: "claim" }); // after a reload without cache a page is left alone
  await changed;
}

// ---- pages of the house -----------------------------------------------------------------------------------------------------
const isHouse = () => { try { return !/\/shelf(\.\w+)?\.html$/.test(frame.contentWindow.location.pathname) && frame.contentWindow.location.href !== "about:blank"; } catch { return false; } };
const address = () => location.hash.startsWith("#/") ? location.hash.slice(1).replace(/^\/link\//, "/link#") : "/"; // a table that a friend has sent stays behind #

let followed = address(); // what the frame shows, or is about to

function open() {
  followed = address();
  const there = isHouse() ? inHouse() : null;
  if (there === address() && !wanted) return;
  const button = wanted?.press && !isHouse() && frame.contentDocument.getElementById(wanted.press);
  if (button?.form) { wanted = null; return button.form.requestSubmit(button); } // the house answers: its own shelf is not needed
  frame.contentWindow.location.replace(BASE + (wanted?.href ?? address()).slice(1));
}

const inHouse = () => { const { pathname, search, hash } = frame.contentWindow.location; return `/${pathname.replace(BASE, "")}${search}${hash}`; };

function onShown() {
  const page = frame.contentDocument;
  if (wanted?.press) {
    const button = page.getElementById(wanted.press);
    wanted = null;
    if (button) return button.click();
  }
  wanted = null;
  bar.hidden = !bar.dataset.warned;
  progress.hidden = true;
  follow();
  frame.contentWindow.addEventListener("hashchange", follow);
  page.addEventListener("click", saveFile);
  new MutationObserver(follow).observe(page.querySelector("title"), { childList: true });
  frame.focus();
}

function follow() {
  document.title = frame.contentDocument.title;
  document.documentElement.lang = frame.contentDocument.documentElement.lang;
  if (address() !== followed) return; // another one is wanted: open() is about to show it
  const there = inHouse();
  if (there !== address()) history.replaceState(null, "", there === "/" ? BASE : `${BASE}#${there}`);
  followed = address();
}

// Browsers do not ask the service worker for what a link downloads: it is fetched first.
async function saveFile(event) {
  const link = event.target.closest("a[download]");
  if (!link) return;
  event.preventDefault();
  const answer = await fetch(link.href), file = document.createElement("a");
  file.href = URL.createObjectURL(await answer.blob());
  file.download = link.download || new URL(link.href).pathname.split("/").pop();
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 60_000);
}

// The static shelf looks like the real one. What is pressed there is done as soon as the house is there.
function listenToShelf() {
  const page = frame.contentDocument;
  if (!page) return;
  page.addEventListener("click", event => {
    const pressed = event.target.closest("a[href], button");
    if (!pressed) return;
    if (isOpen) return;
    event.preventDefault();
    wanted = pressed.matches("button") ? { href: "/", press: pressed.id } : { href: `/${new URL(pressed.href).pathname.replace(BASE, "")}` };
    pressed.setAttribute("aria-busy", "true");
    tell("starting");
  });
  page.addEventListener("submit", event => { if (!isOpen) event.preventDefault(); });
}

// ---- news -------------------------------------------------------------------------------------------------------------------
function offerUpdates(registration) {
  const offer = () => {
    if (!registration.waiting || !navigator.serviceWorker.controller) return;
    warn(sentence("renew"));
    renew.textContent = sentence("renewNow");
    renew.hidden = false;
    close.textContent = sentence("later");
    renew.onclick = () => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      registration.waiting.postMessage({ what: "renew" });
    };
  };
  offer();
  registration.addEventListener("updatefound", () => registration.installing.addEventListener("statechange", offer));
  setInterval(() => registration.update().catch(() => {}), 3_600_000);
}

function warn(text) {
  bar.hidden = false;
  bar.dataset.warned = "yes";
  said.textContent = text;
  close.textContent = sentence("close");
  close.hidden = false;
  close.onclick = () => { bar.hidden = true; delete bar.dataset.warned; };
}

function fail(error) {
  const [, kind, what] = /^(?:Error: )?(old|insecure|broken):(.*)$/s.exec(error.message) ?? [null, "failed", error.message];
  bar.hidden = false;
  bar.dataset.failed = "yes"; // what is still being loaded is not told any more
  progress.hidden = true;
  said.textContent = sentence(kind, { what });
}
