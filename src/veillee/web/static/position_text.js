// position_text.js: the position in words, for readers who do not see the board. Loaded when it is opened, and again when the
// board changes; P opens it and leads there (shortcuts.js). Without this it is a page of its own.
const box = document.getElementById("in-words"), live = document.querySelector("[data-live]");

async function read() {
  try {
    const answer = await fetch(box.querySelector("a").href, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("position-text");
    const old = document.getElementById("position-text");
    if (fresh && !old) box.append(fresh);
    else if (fresh && old.innerHTML !== fresh.innerHTML) old.innerHTML = fresh.innerHTML; // the focus stays
  } catch {
    // the house is away: the link is still there
  }
}

if (box) {
  box.addEventListener("toggle", async () => {
    if (!box.open) return;
    await read();
    document.getElementById("position-text")?.focus();
  });
  live?.addEventListener("veillee:swapped", () => { if (box.open) read(); });
}
