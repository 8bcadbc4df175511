// rulebook.js: looks through a rulebook: what does not say all the words is hidden, and so is a chapter with nothing left.
const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const BLOCKS = "p, ul, ol, table, figure, h2, h3";

export function search(book, field, status) {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  const blocks = [...book.children].filter(e => e.matches(BLOCKS));
  let found = 0, chapter = null, section = null;
  for (const block of blocks) {
    if (block.matches("h2")) [chapter, section] = [block, null];
    else if (block.matches("h3")) section = block;
    const head = block.matches("h2, h3"), text = plain(block.textContent);
    block.hidden = words.length > 0 && (head || !words.every(word => text.includes(word)));
    if (block.hidden || head) continue;
    found += 1;
    for (const title of [chapter, section]) if (title) title.hidden = false;
  }
  if (words.length) book.scrollTop = 0;
  status.textContent = !words.length ? "" : found ? `${status.dataset.found} ${found}` : status.dataset.none;
}

export function searchable(book) {
  const box = document.querySelector(".search"), field = document.getElementById("rule-search"), status = document.getElementById("rules-found");
  box.hidden = false;
  field.addEventListener("input", () => search(book, field, status));
  return () => { field.value = ""; search(book, field, status); };
}

const page = document.querySelector("article.book");
if (page) searchable(page);
