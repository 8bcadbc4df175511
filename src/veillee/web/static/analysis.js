// analysis.js: what is found out while one looks at it. Without it one looks again by a link.
const EVERY = 1000; // milliseconds

// Whoever reads or tabs through the page meanwhile is left where they are.
function put(fresh) {
  const old = document.getElementById("main"), held = old.contains(document.activeElement) ? document.activeElement : null;
  const opened = old.querySelector("#as-a-table"), read = old.querySelector("#every-chance")?.scrollTop ?? 0;
  old.replaceWith(fresh);
  if (opened?.open) {
    fresh.querySelector("#as-a-table").open = true;
    fresh.querySelector("#every-chance").scrollTop = read;
  }
  if (!held) return;
  const alike = [...fresh.querySelectorAll(held.localName)];
  const same = alike.find(one => held.id ? one.id === held.id : one.outerHTML === held.outerHTML);
  same?.focus({ preventScroll: true });
}

async function look() {
  try {
    const answer = await fetch(location.href);
    if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html"), fresh = page.getElementById("main");
      put(fresh);
      if (!("running" in fresh.dataset)) return;
    }
  } catch {} // the house is away: it is asked again
  setTimeout(look, EVERY);
}
setTimeout(look, EVERY);
