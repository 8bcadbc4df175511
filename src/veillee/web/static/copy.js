// copy.js: a button that copies the address beside it. Without it the address is a field: one selects it oneself.
document.documentElement.classList.add("copies");
document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  // In a home network there is no https, and so no clipboard for scripts: there the old way works still.
  try { await navigator.clipboard.writeText(field.value); } catch { if (!document.execCommand("copy")) return; }
  button.classList.add("copied");
  document.getElementById("say").textContent = button.innerText.trim();
});
document.addEventListener("focusin", ({ target }) => { if (target.matches?.("input[readonly]")) target.select(); });
