// While a study runs, its progress is read again; without this there is the link "Show the progress".
const EVERY_MS = 3000;

async function refresh() {
  try {
    const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
    const found = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = found.getElementById("balance");
    const played = found.getElementById("played");
    if (!fresh) return;
    if (!played) document.getElementById("balance").replaceWith(fresh);
    else {
      document.getElementById("played").value = played.value;
      document.querySelector("label[for=played]").textContent = found.querySelector("label[for=played]").textContent;
    }
    if (!played) return;
  } catch {
    // the house is away: asked again
  }
  setTimeout(refresh, EVERY_MS);
}

setTimeout(refresh, EVERY_MS);
