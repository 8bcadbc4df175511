// contribution.js: the page's own part of the shuffle (ADR 5). It draws random bytes, sends only their SHA-256 hash while the table
// waits, and opens them when everybody sits, so that neither the house nor the last player can choose the deal. Without it the game begins without this page's part, and says so.
const KEPT = "contribution ", MOST_KEPT = 50;
const hex = bytes => [...new Uint8Array(bytes)].map(byte => byte.toString(16).padStart(2, "0")).join("");

async function draw() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const told = new Uint8Array([...new TextEncoder().encode("veillee contribution\n"), ...bytes]);
  const sealed = crypto.subtle ? await crypto.subtle.digest("SHA-256", told) : await sha256(told);
  return { contribution: hex(bytes), sealed: hex(sealed) };
}
async function sha256(bytes) { // on plain http
  const module = await import(`./sha256.js${new URL(import.meta.url).search}`);
  return module.sha256(bytes);
}
function keep({ sealed, contribution }) {
  const old = Object.keys(localStorage).filter(key => key.startsWith(KEPT));
  for (const key of old.slice(0, Math.max(0, old.length - MOST_KEPT))) localStorage.removeItem(key);
  localStorage.setItem(KEPT + sealed, contribution);
}
const post = (what, fields) => fetch(`${document.querySelector("[data-table]").dataset.table}/${what}`,
  { method: "POST", body: new URLSearchParams(fields), headers: { "X-Live": "1" } });

let isOpened = false;
async function contribute(isNew) {
  const { seat, sealed, opening } = document.getElementById("part-lobby")?.dataset ?? {};
  if (seat === undefined) return;
  const contribution = sealed && localStorage.getItem(KEPT + sealed);
  if (opening !== undefined) {
    if (!contribution || isOpened) return;
    isOpened = true;
    const answer = await post("open", { seat, contribution }).catch(() => null);
    isOpened = answer !== null;
    if (answer?.ok) localStorage.removeItem(KEPT + sealed);
  } else if (isNew && !contribution) { // only a page that is opened seals: two devices of one guest do not take turns for ever
    keep(fresh);
    await post("seal", { seat, sealed: fresh.sealed }).catch(() => null);
  }
}

let fresh = await draw();
document.addEventListener("submit", event => {
  const field = event.target.elements.sealed;
  if (!field) return;
  keep(fresh);
  field.value = fresh.sealed;
}, true);
document.addEventListener("veillee:swapped", () => contribute(false), true);
addEventListener("pageshow", async event => { if (event.persisted) fresh = await draw(); }); // what was sent once is used once
contribute(true);
