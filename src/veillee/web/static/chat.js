// chat.js: the talk panel, live, and its bubble in the header: how much is unread, and what was said just now. On a small window
// the bubble opens the panel over the foot of the board. Without it the panel is a form like any other.
const panel = document.getElementById("talk"), list = document.getElementById("said");
const badges = document.querySelectorAll("[data-unread]"), bubble = document.getElementById("to-talk"), toast = document.getElementById("talk-toast");
const oops = document.getElementById("talk-oops"), heard = document.getElementById("heard");
const live = document.querySelector("[data-live]");

const numbers = () => [...list.children].map(li => +li.dataset.said);
const newest = () => Math.max(+panel.dataset.newest, 0, ...numbers());

// A line takes its place by its number; one that is there already is replaced by what it is now.
function put(html) {
  const box = document.createElement("template");
  box.innerHTML = html;
  let fresh = 0;
  const low = heard.scrollHeight - heard.scrollTop - heard.clientHeight < 40;
  for (const li of [...box.content.querySelectorAll("[data-said]")]) {
    const n = +li.dataset.said, there = list.querySelector(`[data-said="${n}"]`);
    clock(li);
    if (there) { there.replaceWith(li); continue; }
    const after = [...list.children].find(other => +other.dataset.said > n);
    list.insertBefore(li, after ?? null);
    fresh += li.querySelector(".about") ? 1 : 0;
  }
  while (list.children.length > 120) list.firstElementChild.remove();
  if (isSeen()) read();
  else if (fresh) {
    count(+badges[0].querySelector("b").textContent * !badges[0].hidden + fresh);
    show(list.querySelector(":scope > li:last-child"));
  }
  if (low) heard.scrollTop = heard.scrollHeight;
}
function count(n) {
  for (const badge of badges) {
    badge.querySelector("b").textContent = n;
    badge.hidden = !n;
  }
}
function isSeen() {
  const { top, bottom } = panel.getBoundingClientRect();
  return panel.open && !document.hidden && bottom > 0 && top < innerHeight;
}

// What was said just now, in the header, for a few seconds. It is said once: by the toast, as the list is closed.
const SHOWN = 6000;
let fading;
function show(line) {
  if (!toast || !line) return;
  toast.textContent = [...line.querySelectorAll("b, bdi, .gestured, em")].map(e => e.textContent.trim()).join(" · ");
  toast.hidden = false;
  document.getElementById("say").textContent = toast.textContent;
  clearTimeout(fading);
  fading = setTimeout(hide, SHOWN);
}
function hide() { if (toast) toast.hidden = true; }
function reveal(event) {
  event.preventDefault();
  hide();
  panel.classList.toggle("afloat", event.currentTarget === toast || !panel.open);
  panel.open = event.currentTarget === toast || !panel.open;
  if (panel.open) (panel.querySelector("#words") ?? panel.querySelector("summary")).focus();
}
function read() {
  count(0);
  document.cookie = `heard=${newest()}; path=${live.dataset.table}; max-age=2592000; samesite=lax`;
}
function clock(scope) { // in the reader's own time
  for (const time of scope.querySelectorAll("time")) {
    time.textContent = new Date(time.dateTime).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    time.title = new Date(time.dateTime).toLocaleString(document.documentElement.lang);
  }
}

async function speak(event) {
  event.preventDefault();
  event.stopPropagation(); // live.js sends moves
  const form = event.target;
  if (form.dataset.busy) return;
  form.dataset.busy = "1";
  oops.textContent = "";
  try {
    const answer = await fetch(form.action, {
      method: "POST", body: new URLSearchParams(new FormData(form, event.submitter)), headers: { "X-Live": "1" },
    });
    const text = await answer.text();
    if (!answer.ok) { oops.textContent = text; return; }
    form.reset();
    put(text);
    heard.scrollTop = heard.scrollHeight;
  } catch { oops.textContent = document.getElementById("oops").dataset.offline; }
  finally { delete form.dataset.busy; }
}

if (panel && list && live) {
  clock(list);
  live.addEventListener("veillee:talk", event => put(event.detail));
  for (const form of panel.querySelectorAll("[data-talk]")) form.addEventListener("submit", speak);
  const opened = () => { if (!panel.open) return; heard.scrollTop = heard.scrollHeight; read(); };
  panel.addEventListener("toggle", () => { if (!panel.open) panel.classList.remove("afloat"); opened(); });
  for (const way of [bubble, toast]) way?.addEventListener("click", reveal);
  panel.addEventListener("keydown", event => {
    if (event.key !== "Escape") return;
    panel.open = false;
    bubble?.focus();
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) opened(); });
  opened();
}
