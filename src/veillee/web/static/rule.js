// rule.js: a rule in a little window, on a table and its replay. Without it the link leads to the rulebook.
async function consult(event) {
  const a = event.target.closest?.("a.rule[data-rule]"), box = document.getElementById("rule-box");
  if (!a || !box?.showModal || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  try {
    const answer = await fetch(a.dataset.rule);
    if (!answer.ok) throw new Error(answer.statusText);
    box.querySelector("h2").textContent = a.textContent;
    box.querySelector("div").innerHTML = await answer.text(); // our own rulebook
    for (const cited of box.querySelectorAll("div a[href^='#']")) cited.href = a.href.replace(/#.*/, "") + cited.hash;
    box.querySelector("p > a[href^='/rules']").href = a.href;
    box.showModal();
  } catch { location.assign(a.href); }
}
document.addEventListener("click", consult);
