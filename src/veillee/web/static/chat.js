// chat.js: the talk panel, live. Without it the panel is a form like any other.
const panel = document.getElementById("talk"), list = document.getElementById("said");
const unread = document.getElementById("unread"), oops = document.getElementById("talk-oops"), heard = document.getElementById("heard");
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
  if (panel.open && !document.hidden) read();
  else if (fresh) count(+unread.querySelector("b").textContent * !unread.hidden + fresh);
  if (low) heard.scrollTop = heard.scrollHeight;
}
function count(n) {
  unread.querySelector("b").textContent = n;
  unread.hidden = !n;
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
  panel.addEventListener("toggle", opened);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) opened(); });
  opened();
}
