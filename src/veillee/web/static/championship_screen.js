// Keeps the standings on a big screen up to date.
const REFRESH_MS = 30_000;

setInterval(async () => {
  const answer = await fetch(location.href).catch(() => null);  // the house may be closed for a while
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  document.querySelector('main').replaceWith(page.querySelector('main'));
}, REFRESH_MS);
