// shield.js: one's shield, shown while it is being chosen. Without it one presses "Keep" to see it.
const form = document.querySelector(".arms-form"), picture = document.getElementById("my-arms");
form?.addEventListener("change", () => {
  const letters = [...form.querySelectorAll("select")].map(select => "abcdefghij"[select.selectedIndex]);
  picture.src = `/shields/${letters.join("")}.svg`;
});
