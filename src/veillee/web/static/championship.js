// championship.js: keeps the page of a championship, and its big screen, up to date. Parts that have changed are replaced;
// keyboard focus, scroll position and what is unfolded stay. Without it there is a link.
const LOOK_MS = 10_000;
const main = document.querySelector('main');

async function look() {
  if (document.hidden) return;
  const answer = await fetch(`${main.dataset.news}?seen=${main.dataset.seen}`).catch(() => null);  // the house may be closed
  if (answer?.status !== 200) return;  // 204: nothing is new
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  show(page.querySelector('main'));
}

function show(fresh) {
  const before = new Map([...main.children].map(part => [nameOf(part), part]));
  const parts = [...fresh.children].map(part => {
    const old = before.get(nameOf(part));
    if (!old) return part;
    part.toggleAttribute('open', old.hasAttribute('open'));
    const stays = old.isEqualNode(part) || old.className === 'oops' || old.contains(typedIn());
    return stays ? old : part;
  });
  const focus = markOf(document.activeElement), { scrollX, scrollY } = window;
  for (const old of before.values()) if (!parts.includes(old)) old.remove();
  let next = main.firstElementChild;
  for (const part of parts) {
    if (part === next) next = next.nextElementSibling;
    else main.insertBefore(part, next);
  }
  main.dataset.seen = fresh.dataset.seen;
  if (focus && document.activeElement === document.body) main.querySelector(focus)?.focus({ preventScroll: true });
  scrollTo(scrollX, scrollY);
}

function nameOf(part) {
  return part.getAttribute('aria-labelledby') ?? part.getAttribute('action') ?? `${part.tagName} ${part.className}`;
}

// The field in which something is being typed.
function typedIn() {
  return document.activeElement?.matches('input:not([readonly])') ? document.activeElement : null;
}

// A selector of the same element in the new part.
function markOf(element) {
  if (!main.contains(element)) return '';
  if (element.id) return `#${CSS.escape(element.id)}`;
  return element.matches('a[href]') ? `a[href="${CSS.escape(element.getAttribute('href'))}"]` : '';
}

setInterval(look, LOOK_MS);
document.addEventListener('visibilitychange', look);
