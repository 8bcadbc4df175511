// engine_banner.js: keeps the line about the bots' engine up to date while it is being compiled. Without it the next page has the news.
const line = document.getElementById("engine");
const wait = () => { if (line?.dataset.news === "building") setTimeout(ask, 2000); };
async function ask() {
  const answer = await fetch("/engine").catch(() => null); // the house may be closed
  if (answer?.ok) {
    const page = document.createElement("template");
    page.innerHTML = await answer.text();
    const now = page.content.querySelector("p");
    if (line.textContent !== now.textContent) line.textContent = now.textContent; // what has not changed is not read out again
    line.dataset.news = now.dataset.news;
  }
  wait();
}
wait();
