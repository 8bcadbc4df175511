// result.js: when a game ends, its result is shown over the board, and the accounts build up line by line. Closed by its button,
// by Esc and by a click beside it; "The final scores" opens it again. Without JavaScript the result is a panel of the page.
const LINE = 450; // milliseconds, at normal speed, from one line of the accounts to the next
const live = document.querySelector("[data-live]"), still = matchMedia("(prefers-reduced-motion: reduce)");
const AGAIN = 1000; // milliseconds after which one asks again how far the analysis has come
const result = () => document.querySelector("#part-final.panel");
let isOver = !!result(), isOpen = false, counting = 0, luck = "";

// Luck and skill in one line. A player's page has the game analysed as soon as it ends there; every other one shows the
// line if there is one.
async function look(method = "GET") {
  const from = document.getElementById("luck")?.dataset.from;
  const answer = from && await fetch(from, { method, headers: { "X-Live": "1" } }).catch(() => null);
  if (!answer?.ok) return; // a button leads there
  luck = await answer.text();
  write();
  if (document.querySelector("#luck [data-running]")) setTimeout(look, AGAIN);
}
function write() {
  const line = document.getElementById("luck");
  if (line) line.innerHTML = luck;
}

function open(panel) {
  isOpen = true;
  panel.classList.add("moment");
}
function close() {
  if (!isOpen) return;
  isOpen = false;
  finish(result());
  result()?.classList.remove("moment");
  document.getElementById("prompt")?.focus({ preventScroll: true });
}

// Line after line in all columns, with the sum so far; who has won is seen when all is counted.
function count(panel) {
  const pace = still.matches || "still" in document.documentElement.dataset ? 0 : JSON.parse(live.dataset.pace ?? "{}").speeds?.[live.dataset.speed] ?? 0;
  const columns = [...panel.querySelectorAll(".account")].map(account => ({
    sum: account.querySelector("h3 b"), total: account.querySelector("h3 b").textContent, rows: [...account.querySelectorAll("tr")],
  }));
  const longest = Math.max(...columns.map(column => column.rows.length));
  if (!pace) return;
  panel.classList.add("counting");
  for (const column of columns) { column.sum.dataset.total = column.total; column.sum.textContent = 0; }
  const step = n => {
    for (const { sum, rows, total } of columns) {
      rows[n]?.classList.add("counted");
      sum.textContent = n + 1 < rows.length ? rows.slice(0, n + 1).reduce((all, row) => all + +row.querySelector("td").textContent, 0) : total;
    }
    if (n + 1 < longest) counting = setTimeout(step, LINE * pace, n + 1);
    else counting = setTimeout(finish, LINE * pace, panel);
  };
  counting = setTimeout(step, LINE * pace, 0);
}
function finish(panel) {
  clearTimeout(counting);
  panel?.classList.remove("counting");
  for (const sum of panel?.querySelectorAll("[data-total]") ?? []) sum.textContent = sum.dataset.total;
}

live?.addEventListener("veillee:swapped", () => {
  const panel = result();
  if (!panel) { isOver = isOpen = false; luck = ""; return; }
  write();
  if (isOpen) open(panel);
  if (isOver) return;
  isOver = true;
  open(panel);
  count(panel);
  look(document.querySelector("#luck[data-mine]") ? "POST" : "GET");
  document.getElementById("h-final").focus({ preventScroll: true });
});
if (isOver) look();
document.addEventListener("click", event => {
  const to = event.target.closest("#to-result");
  if (to && result()) {
    event.preventDefault();
    open(result());
    document.getElementById("h-final").focus({ preventScroll: true });
  } else if (isOpen && (event.target.closest("#close-result") || !event.target.closest("#part-final, dialog, #tip"))) close();
});
document.addEventListener("keydown", event => { if (event.key === "Escape" && !document.querySelector("dialog[open]")) close(); });
