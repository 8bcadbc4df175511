// table_link.js: a table that goes from one browser to another as a link. Shares the link to send, and opens one that has come: it
// stands behind # in the address, which no server is sent.
const form = document.getElementById("open-form");
function open() {
  if (!form || location.hash.length < 2) return;
  form.elements.link.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  form.submit();
}
addEventListener("hashchange", open);
open();

for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = !navigator.share;
  button.addEventListener("click", () => navigator.share({ title: document.title, url: button.dataset.share }).catch(() => {})); // or nothing is shared
}
