// sounds.js: a card, dice, your turn, the end. Made of noise and a few sines on the spot, so there is no file to load and
// nobody's recording to ask for. Off until wanted; one switch, kept for the person.
const LOUD = 0.5;

// Each puts its sources into a context from time t on, and says how long it lasts.
export const SOUNDS = {
  card(ctx, out, t) { rustle(ctx, out, t, 0.09, 2600, 0.7); return 0.1; },
  dice(ctx, out, t) {
    const falls = [0, 0.07, 0.12, 0.2, 0.26, 0.37];
    falls.forEach((at, n) => rustle(ctx, out, t + at, 0.035, 3400 - n * 260, 0.9 - n * 0.12, 9));
    return 0.45;
  },
  gain(ctx, out, t) { note(ctx, out, t, 987.8, 0.3, 0.25); note(ctx, out, t + 0.06, 1318.5, 0.4, 0.25); return 0.4; },
  war(ctx, out, t) { [0, 0.18].forEach(at => { note(ctx, out, t + at, 82.4, 0.35, 0.8); rustle(ctx, out, t + at, 0.12, 320, 0.8); }); return 0.5; },
  turn(ctx, out, t) { note(ctx, out, t, 659.3, 0.35, 0.5); note(ctx, out, t + 0.13, 880, 0.6, 0.5); return 0.75; },
  end(ctx, out, t) {
    [523.3, 659.3, 784, 1046.5].forEach((pitch, n) => note(ctx, out, t + n * 0.14, pitch, 1.1 - n * 0.1, 0.4));
    return 1.5;
  },
};

function note(ctx, out, t, pitch, lasts, loud) { // struck, and left to ring
  for (const [harmonic, share] of [[1, 1], [2, 0.25], [3, 0.08]]) {
    const source = new OscillatorNode(ctx, { frequency: pitch * harmonic }), level = new GainNode(ctx, { gain: 0 });
    level.gain.setValueAtTime(0, t);
    level.gain.linearRampToValueAtTime(loud * share, t + 0.012);
    level.gain.exponentialRampToValueAtTime(0.0005, t + lasts / harmonic);
    source.connect(level).connect(out);
    source.start(t);
    source.stop(t + lasts);
  }
}

function rustle(ctx, out, t, lasts, pitch, loud, sharp = 1.2) { // a breath of noise
  const length = Math.ceil(ctx.sampleRate * lasts), buffer = new AudioBuffer({ length, sampleRate: ctx.sampleRate });
  const samples = buffer.getChannelData(0);
  let seed = 7; // the same noise every time
  for (let n = 0; n < length; n++) {
    seed = (seed * 16807) % 2147483647;
    samples[n] = (seed / 1073741823.5 - 1) * (1 - n / length) ** 2;
  }
  const source = new AudioBufferSourceNode(ctx, { buffer });
  source.connect(new BiquadFilterNode(ctx, { type: "bandpass", frequency: pitch, Q: sharp })).connect(new GainNode(ctx, { gain: loud * 2 })).connect(out);
  source.start(t);
}

let ctx, free = 0; // when the last one is over: sounds do not pile up
export function play(name) {
  if (!window.AudioContext) return; // a browser without Web Audio plays in silence
  ctx ??= new AudioContext();
  if (ctx.state === "suspended") ctx.resume(); // browsers wait for a first click
  const t = ctx.currentTime;
  if (["card", "gain"].includes(name) && t < free) return;
  const out = new GainNode(ctx, { gain: LOUD });
  out.connect(ctx.destination);
  free = t + SOUNDS[name](ctx, out, t);
  live.dispatchEvent(new CustomEvent("veillee:sound", { detail: name }));
}

const live = document.querySelector("[data-live]"), wanted = document.getElementById("sound");
const turn = () => document.getElementById("part-prompt")?.dataset.turn, over = () => !!document.querySelector("#part-final.panel");
if (live && wanted) {
  let was = turn(), ended = over();
  live.addEventListener("veillee:beat", ({ detail: acts }) => {
    if (!wanted.checked) return;
    const marks = acts.map(({ dataset: { sound, does } }) => sound ?? (does === "gain" ? "gain" : ["fly", "glide", "show"].includes(does) && "card"));
    const sound = ["war", "dice", "gain", "card"].find(name => marks.includes(name));
    if (sound) play(sound);
  });
  live.addEventListener("veillee:swapped", () => {
    const now = turn(), end = over();
    if (wanted.checked && end && !ended) play("end");
    else if (wanted.checked && now === "you" && was !== "you") play("turn");
    [was, ended] = [now, end];
  });
  wanted.addEventListener("change", () => { if (wanted.checked) play("turn"); }); // so one knows how loud it is
}
