// guide.js: marks on the board what the guide of a first game proposes. Without it the proposal is read, and can be given.
const live = document.querySelector("[data-live]");
function mark() {
  for (const e of document.querySelectorAll(".proposed")) e.classList.remove("proposed");
  const row = [...document.querySelectorAll("#guide-try [name^='a.']")].map(input => input.value);
  const open = [...document.querySelectorAll(".middle [form=act]:is([name=a], [name^='a.'])")];
  const gives = answer => open.filter(e => e.value.split("|").includes(answer));
  const alone = row.length ? gives(row[0]).filter(e => e.name === "a") : []; // else the first of several in one press
  for (const e of alone.length ? alone : row.flatMap(gives)) (e.closest("label") ?? e).classList.add("proposed");
}
mark();
live.addEventListener("veillee:swapped", mark);
