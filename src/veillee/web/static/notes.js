// notes.js: private notes are saved a moment after one has written, and when the field is left. Without it there is the button.
const form = document.querySelector("#notes form"), field = document.getElementById("own-notes"), told = document.getElementById("notes-saved");
const REST = 1500; // milliseconds
let kept = field?.value, later;

async function save() {
  clearTimeout(later);
  if (field.value === kept) return;
  const words = field.value;
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams({ words }), headers: { "X-Live": "1" } }).catch(() => null);
  if (answer?.ok) {
    kept = words;
    told.textContent = told.dataset.saved;
  } else told.textContent = answer ? await answer.text() : document.getElementById("oops").dataset.offline;
}
if (form) {
  field.addEventListener("input", () => {
    told.textContent = "";
    clearTimeout(later);
    later = setTimeout(save, REST);
  });
  field.addEventListener("change", save);
  form.addEventListener("submit", event => {
    event.preventDefault();
    event.stopPropagation(); // live.js sends moves
    save();
  });
}
