// guide.js: marks on the board the next thing that the guide of a first game proposes, and that alone. Without it the proposal
// is read, and can be given.
const live = document.querySelector("[data-live]");
function mark() {
  for (const e of document.querySelectorAll(".proposed")) e.classList.remove("proposed");
  const row = document.getElementById("guide-try")?.dataset.row.split(" ") ?? [];
  const open = [...document.querySelectorAll(".middle [form=act]:is([name=a], [name^='a.'])")];
  const gives = (answer, place) => { // of several answers in one press the one in its place, if they are counted so
    const all = open.filter(e => e.value.split("|").includes(answer)), there = all.filter(e => e.name === `a.${place + 1}`);
    return there.length ? there : all;
  };
  const alone = row.length ? gives(row[0], -1).filter(e => e.name === "a") : [];
  const steps = alone.length ? [alone] : row.map(gives);
  const next = steps.find(step => step.length && !step.some(e => e.checked)) ?? steps.findLast(step => step.length) ?? [];
  for (const e of next) (e.closest("label") ?? e).classList.add("proposed");
}
mark();
live.addEventListener("veillee:swapped", mark);
live.addEventListener("change", mark);
