// rulebook_panel.js: the rulebook beside the board, at the rule in question. Without it the links lead to the rulebook's page.
const { searchable } = await import(`./rulebook.js${new URL(import.meta.url).search}`);
const sheet = document.getElementById("rule-sheet"), book = sheet.querySelector(".book");
const everything = searchable(book); // shows all of it again
let opener = null;

async function fill() {
  if (book.childElementCount) return;
  const answer = await fetch(sheet.dataset.book);
  if (!answer.ok) throw new Error(answer.statusText);
  book.innerHTML = await answer.text(); // our own rulebook
}

function turn(id) { // to the rule, which is then the one that is read
  everything();
  const place = id && book.querySelector(`#${CSS.escape(id)}`);
  book.querySelector(".here")?.classList.remove("here");
  if (!place) { book.scrollTop = 0; return book.focus({ preventScroll: true }); }
  place.classList.add("here");
  place.tabIndex = -1;
  book.scrollTop += place.getBoundingClientRect().top - book.getBoundingClientRect().top - 12;
  place.focus({ preventScroll: true });
}

async function consult(event) {
  const a = event.target.closest?.("a[href]");
  if (!a || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  const inside = book.contains(a) && a.getAttribute("href").startsWith("#");
  if (!inside && a.pathname !== sheet.dataset.page) return;
  event.preventDefault();
  if (inside) return turn(a.hash.slice(1));
  const asked = document.querySelector(".prompt .question .rule"); // what one is asked about, unless a rule was named
  try {
    await fill();
    if (!sheet.open) opener = a;
    sheet.show();
    turn(decodeURIComponent((a.hash || asked?.hash || "").slice(1)));
  } catch { location.assign(a.href); }
}

function close() {
  if (!sheet.open) return;
  sheet.close();
  const same = opener?.isConnected ? opener : document.querySelector(`a[href="${CSS.escape(opener?.getAttribute("href") ?? "")}"]`);
  (same ?? document.getElementById("prompt"))?.focus({ preventScroll: true }); // where one was
}

document.addEventListener("click", consult);
document.getElementById("close-sheet").addEventListener("click", close);
sheet.addEventListener("keydown", event => {
  event.stopPropagation(); // its keys are its own
  if (event.key === "Escape") { event.preventDefault(); close(); }
});
