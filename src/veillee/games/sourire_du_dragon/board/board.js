// A comfort of this board; everything works without it: cards are read aloud.
const live = document.querySelector("[data-live]");
const voice = window.speechSynthesis;
const offer = () => { if (voice) for (const b of document.querySelectorAll(".sd-speak[hidden]")) b.hidden = false; };
document.addEventListener("click", event => {
  const text = event.target.closest?.(".sd-speak")?.dataset.speak;
  if (!text || !voice) return;
  voice.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang;
  words.rate = 0.95;
  voice.speak(words);
});

offer();
live?.addEventListener("veillee:swapped", offer);
