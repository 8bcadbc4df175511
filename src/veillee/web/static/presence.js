// presence.js: lets the clocks of the company run. Without it a page shows them as they were when it was made.
const SHORT = 30; // seconds
const begun = new WeakMap(); // each clock's start: parts are replaced, and with them their clocks
function tick() {
  for (const clock of document.querySelectorAll("[data-left]")) {
    if (!begun.has(clock)) begun.set(clock, performance.now());
    const left = Math.max(0, Math.round(+clock.dataset.left - (performance.now() - begun.get(clock)) / 1000));
    const shown = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (clock.lastChild.data !== shown) clock.lastChild.data = shown;
    clock.classList.toggle("short", left <= SHORT);
  }
}
setInterval(tick, 500);
