// playback.js: plays what happened, one beat after the other, on the board as it was; then the new parts take its place.
// The parts are the truth, beats are how one gets there: what a beat changes is taken from the new parts as soon as no later
// beat changes it, and whatever a beat names and the board does not have is passed over. It knows no game: boards mark their
// things (data-piece, data-place, data-count, data-step, data-track), beats name them. How long everything takes is on the
// page (games/scene.py has it).
const BACKLOG = 30000; // milliseconds at normal speed: whoever is further behind than this is shown it faster
const MOST = 40; // beats kept while nobody looks
const HASTE = 1500, HASTE_OF_PLAYER = 8000; // "skip" also skips what follows within this time, until one is asked
const OWN = 400; // milliseconds at most for what one has just done oneself
const SETTLE = 250; // a piece is seen to have arrived
const GAP = 10; // pixels between what is shown large and what is beside it
const STAGGER = 90; // things of one beat that fly do not cover each other
const ACTS = new Set(["glide", "fly", "gain", "show"]); // what a beat may do; all else is only said

const still = matchMedia("(prefers-reduced-motion: reduce)");
const $ = id => document.getElementById(id);
// The thing of that mark; of several (one's own hand, and one's place at the table) the one that is seen.
const marked = (name, value) => {
  const all = value ? [...document.querySelectorAll(`[data-${name}="${CSS.escape(value)}"]`)] : [];
  return all.find(e => e.getClientRects().length) ?? null;
};
const everyCount = name => document.querySelectorAll(`[data-count="${CSS.escape(name)}"]`);
const changedBy = act => act.dataset.changes?.split(" ") ?? [];
const setBy = act => act.dataset.sets?.split(" ").map(pair => pair.split("=")) ?? [];
const actsOf = beat => [...beat.querySelectorAll("i[data-kind]")];
const isMarked = (name, kinds) => kinds.map(kind => `[data-${kind}="${CSS.escape(name)}"]`).join();
const THINGS = ["place", "piece"], NUMBERS = ["count"], MARKS = [...THINGS, ...NUMBERS];

export class Stage {
  // hasten(isHasty): the bots need not wait for what is skipped. put(parts, played, clear): swaps the parts in; played: their pieces have moved already; clear(): when that is done.
  // say(beats): to those who listen. write(beats): into the chronicle. shown(): somebody has seen what the page shows.
  // hold(): the focus is about to lose its place.
  constructor(live, { put, say, write, shown, hold, hasten }) {
    Object.assign(this, { live, put, say, write, shown, hold, hasten, pace: JSON.parse(live.dataset.pace) });
    this.lit = []; // things that are spoken of
    this.queue = []; // messages: { name, beats, skipped, parts, played }
    this.held = []; // motions whose end is still to be seen
    this.shifts = new Map(); // pieces that have left the place where the board has them
    this.landed = new Map(); // places, and the drawings that lie there
    this.texts = new Map(); // numbers that were counted up or down, as the board has them
    this.steps = new Map(); // steps of a turn whose look was changed, and how the board has them
    this.noted = new Set(); // the notes of a guided first game that were read
    this.skippedAt = -Infinity;
    this.hasSent = false; // an answer, whose consequences are to come
    this.running = this.over = false;
    this.hurry = () => {};
    $("go-on").addEventListener("click", () => this.tap());
    $("skip").addEventListener("click", () => this.skip());
    document.addEventListener("click", e => { if (e.target.closest("#note-again")) { this.noted.clear(); this.run(); } });
    document.addEventListener("click", e => { if (this.running && !e.target.closest("button, a, input, label, select, summary, dialog, [tabindex='0'], #now")) this.tap(); });
    document.addEventListener("keydown", e => {
      if (!this.running) return;
      if (e.key === "Escape") this.skip();
      if (e.target === $("now") && (e.key === "Enter" || e.key === " ")) { e.preventDefault(); this.tap(); }
    });
    document.addEventListener("visibilitychange", () => this.run());
  }

  // A message: the beats in order, and the parts that show how things stand after them.
  arrive(content, name) {
    const beats = [...content.querySelectorAll(".happenings > li")];
    const parts = new Map([...content.querySelectorAll("[data-part]")].map(part => [part.id, part]));
    const known = content.querySelector(".happenings")?.dataset.known;
    const last = this.queue.at(-1);
    if (last && document.hidden) { // nobody looks: one long message instead of many
      last.beats.push(...beats);
      last.skipped.push(...last.beats.splice(0, Math.max(0, last.beats.length - MOST)));
      parts.forEach((part, id) => last.parts.set(id, part));
      last.lines = parts.has("part-log") ? [...beats] : [...last.lines, ...beats];
      Object.assign(last, { name, known: known ?? last.known });
    } else this.queue.push({ name, known, beats, parts, lines: [...beats], skipped: [], played: false, own: this.hasSent && !("guided" in this.live.dataset) ? ownActs(beats) : 0 }); // a learner is told everything
    if (parts.has("act")) { this.hasSent = false; this.close(); }
    this.run();
  }

  // The question on the page is answered: what it offers is out of reach, for keys and for those who listen, too.
  close() {
    this.live.classList.add("answered");
    const open = [...this.live.querySelectorAll(".middle :is([form=act], .pick), #guide-try")];
    if (open.some(e => e.contains(document.activeElement))) { this.hold(); document.activeElement.blur(); }
    for (const e of open) e.inert = true;
  }
  open() {
    this.live.classList.remove("answered");
    for (const e of this.live.querySelectorAll(":is(.middle, .guide) [inert]")) e.inert = false;
  }

  begin(known) { // `known`: what the page shows was shown before, with its notes
    if (known) for (const note of notes()) this.noted.add(note.dataset.note);
    this.run();
  }

  skip() { this.skippedAt = performance.now(); this.hasten(true); this.flush(); }
  isHasty() { return performance.now() - this.skippedAt < (me() < 0 ? HASTE : HASTE_OF_PLAYER); }
  flush() { // to the present: the beat on show ends, the others are not played
    for (const message of this.queue) message.skipped.push(...message.beats.splice(0));
    this.over = true;
    this.tap();
  }
  tap() {
    for (const motion of this.held) if (motion.playState === "running") motion.finish();
    this.hurry();
  }

  async run() {
    if (this.running || document.hidden) return;
    this.running = true;
    do {
      await this.tellAll();
      if (!this.queue.length) await this.explain();
    } while (this.queue.length && !document.hidden);
    this.running = false;
    if (!this.queue.length) this.rest();
  }

  async tellAll() {
    while (this.queue.length && !document.hidden) {
      const message = this.queue[0];
      while (message.beats.length && !document.hidden) {
        const pace = this.speed(message.beats[0]);
        if (this.isHasty()) { this.flush(); break; }
        if (!pace && !isNote(message.beats[0])) {
          this.cause = message.beats[0].querySelector("p");
          message.skipped.push(message.beats.shift());
          continue;
        }
        message.played = true;
        const beat = message.beats.shift(), isOwn = message.own-- > 0;
        await this.play(beat, message, isOwn ? Math.min(pace, this.swiftly(beat)) : pace, isOwn).catch(console.error); // a beat that fails holds nobody up
      }
      if (message.beats.length) break; // the tab was hidden in the middle: it goes on when it is seen again
      await this.present();
    }
  }

  // The notes on what one is asked, when the question is there to be seen: each stays until one goes on, or answers.
  async explain() {
    this.cause = null;
    for (const note of notes()) {
      if (this.noted.has(note.dataset.note)) continue;
      if (this.queue.length || document.hidden) return;
      this.noted.add(note.dataset.note);
      await this.play(note, {}, 1);
      if (this.over) return;
    }
  }

  // The newest of the messages that have nothing more to play, in one go.
  async present() {
    const done = [];
    while (this.queue.length && !this.queue[0].beats.length) done.push(this.queue.shift());
    const parts = new Map(done.flatMap(message => [...message.parts])), last = done.at(-1);
    const skipped = done.flatMap(message => message.skipped);
    const known = done.findLast(message => message.known)?.known, whole = done.findLastIndex(message => message.parts.has("part-log"));
    this.write(skipped, known);
    if (skipped.length) this.say(skipped);
    if (parts.get("part-prompt")?.dataset.turn === "you" || !this.isHasty()) { this.skippedAt = -Infinity; this.hasten(false); }
    await this.put([...parts.values()], done.some(message => message.played), () => {
      this.clear();
      if (!this.queue.length) this.open();
    });
    if (whole >= 0) this.write(done.slice(whole).flatMap(message => message.lines), known); // a chronicle that came whole, and what followed it
    this.live.dataset.at = last.name;
    delete this.live.dataset.away; // here and now
    this.shown();
  }

  // Takes from the new parts what these acts change: each place and number that no later beat of the message changes. What a
  // later beat changes within it stays as it is until then.
  settle(acts, message, kinds) {
    if (this.over || !message.parts) return;
    const names = new Set(acts.flatMap(act => [...changedBy(act), act.dataset.count].filter(Boolean)));
    const later = this.changedLater(message);
    for (const name of names) {
      if (later.has(name)) continue;
      for (const [id, part] of message.parts) {
        const is = isMarked(name, kinds), old = document.getElementById(id);
        if (!old || old === part) continue;
        const was = [old, ...old.querySelectorAll("*")].filter(e => e.matches(is)), now = [part, ...part.querySelectorAll("*")].filter(e => e.matches(is));
        if (was.length !== now.length) continue;
        was.forEach((e, i) => (kinds === NUMBERS ? this.count(e, now[i].textContent.trim()) : this.replace(e, now[i].cloneNode(true), later)));
      }
    }
    for (const [place, boxes] of this.landed) if (!place.isConnected) { boxes.forEach(box => box.remove()); this.landed.delete(place); }
  }
  replace(was, now, later) {
    for (const name of later) {
      const is = isMarked(name, MARKS), kept = [...was.querySelectorAll(is)], fresh = [...now.querySelectorAll(is)];
      if (kept.length === fresh.length) fresh.forEach((e, i) => e.replaceWith(kept[i]));
    }
    for (const e of now.querySelectorAll("[form=act], .pick")) e.inert = true; // the next question is not asked yet
    was.replaceWith(now);
  }
  changedLater(message) { // marks of what later beats change; a number that is only named again is not changed
    const final = name => [...message.parts.values()].map(part => part.querySelector(isMarked(name, ["count"]))).find(Boolean)?.textContent.trim();
    return new Set(message.beats.flatMap(actsOf).flatMap(act => [
      ...changedBy(act), act.dataset.count, ...(act.dataset.does === "fly" ? [act.dataset.from, act.dataset.to] : act.dataset.does === "glide" ? [act.dataset.piece] : []),
      ...setBy(act).filter(([name, number]) => final(name) !== number).map(([name]) => name),
    ].filter(Boolean)));
  }

  rest() { // nothing is being played
    const inside = $("now").contains(document.activeElement);
    $("now").hidden = true;
    this.open();
    if (inside) $("prompt")?.focus({ preventScroll: true });
    this.goOn();
  }

  // A question with one answer, which nothing depends on (data-goes-on), is answered when what it shows has been seen.
  goOn() {
    const speed = this.pace.speeds[this.live.dataset.speed] ?? 1, name = document.querySelector("[data-goes-on]")?.dataset.goesOn;
    clearTimeout(this.going);
    if (!name || !speed || "guided" in this.live.dataset) return;
    const stamp = () => document.querySelector("#act [name=stamp]")?.value, asked = stamp();
    this.going = setTimeout(() => { if (stamp() === asked && !this.running && !document.hidden) $(name)?.click(); }, this.pace.rests.result * speed);
  }

  speed(beat) { // whoever is far behind is shown everything faster, but results never twice as fast
    const speed = this.pace.speeds[this.live.dataset.speed] ?? 1;
    const behind = this.queue.flatMap(message => message.beats).reduce((sum, li) => sum + this.pace.motion + this.stay(li), 0);
    const least = beat.dataset.rest === "result" ? 0.5 : 0.2;
    return "guided" in this.live.dataset ? speed : speed * Math.min(1, Math.max(least, BACKLOG / behind)); // a learner takes their time
  }

  stay({ dataset: { rest }, textContent }) {
    const time = this.pace.rests[rest] ?? this.pace.rests.note;
    return rest === "result" ? Math.max(time, Math.min(this.pace.reading, textContent.trim().length * this.pace.letter)) : time;
  }

  // How fast one's own act is shown: it is not told back, one sees it done.
  swiftly(beat) {
    const acts = actsOf(beat), { motion, walk } = this.pace;
    return OWN / (acts.some(act => act.dataset.does === "glide") ? walk : motion * 1.2 + acts.length * STAGGER);
  }

  async play(beat, message, pace, isOwn = false) {
    this.over = false;
    const began = performance.now(), time = isNote(beat) ? Infinity : isOwn ? 0 : this.stay(beat) * pace, acts = actsOf(beat);
    $("stage").style.setProperty("--pace", pace);
    if (!isOwn) this.tell(beat);
    this.write([beat], message.known);
    this.say([beat]);
    this.lit = acts.flatMap(({ dataset: d }) => [marked("piece", d.piece), d.does === "gain" && marked("place", d.from)]).filter(Boolean);
    for (const thing of this.lit) thing.classList.add("spotlit");
    for (const act of acts) this.name(act);
    const ends = [], frames = this.frame(acts);
    for (const some of oneByOne(acts)) {
      this.live.dispatchEvent(new CustomEvent("veillee:beat", { detail: some })); // to those who make sounds of it
      const began = performance.now();
      let flying = 0;
      ends.push(...await Promise.all(some.map(act => ACTS.has(act.dataset.does) && this[act.dataset.does](act, pace, flying++ * STAGGER * pace, frames.get(act)))));
      await Promise.all(some.map(act => this.strike(+act.dataset.strikes, pace)));
      if (some[0]?.dataset.next) await this.wait(Math.max(0, this.pace.motion * pace - (performance.now() - began))); // without motion, too
    }
    // Numbers are right while their sentence is read; a thing that is shown large lies in its place when it has gone there.
    this.settle(acts, message, NUMBERS);
    const large = acts.filter((_, i) => ends[i]);
    this.settle(acts.filter(act => !large.includes(act)), message, THINGS);
    // What is shown large is looked at when it has come; all else, while it moves.
    const shows = ends.some(Boolean), moved = performance.now() - began;
    if (!isOwn) await this.wait(shows ? time : Math.max(time - moved, time && moved > SETTLE ? SETTLE * pace : 0));
    await Promise.all(ends.map(end => end && end()));
    this.settle(large, message, THINGS);
    for (const thing of this.lit) thing.classList.remove("spotlit");
  }

  tell(beat) { // the sentence, with its rule, where one reads it
    const now = $("now"), sentence = beat.querySelector("p");
    if (sentence) now.querySelector(".told").replaceChildren(...sentence.cloneNode(true).childNodes);
    now.querySelector(".cause").replaceChildren(...(isNote(beat) && this.cause ? this.cause.cloneNode(true).childNodes : [])); // what it is about
    if (!isNote(beat)) this.cause = sentence;
    const mine = this.queue.some(message => message.parts.get("part-prompt")?.dataset.turn === "you");
    $("skip").textContent = mine ? $("skip").dataset.mine : $("skip").dataset.all;
    $("left").textContent = this.queue.reduce((n, message) => n + message.beats.length, 0) || "";
    now.classList.toggle("noting", isNote(beat));
    now.hidden = false;
    if (isNote(beat) && !document.activeElement.closest("dialog")) $("go-on").focus({ preventScroll: true });
    if (document.activeElement === document.body) now.focus({ preventScroll: true }); // its place is out of reach meanwhile
  }

  wait(ms) {
    return this.over || new Promise(done => {
      const timer = ms === Infinity ? 0 : setTimeout(done, ms);
      this.hurry = () => { clearTimeout(timer); done(); };
    });
  }

  name(act) { // the numbers that it names, and the step of the turn at which it happens
    for (const [count, number] of setBy(act)) for (const e of everyCount(count)) this.count(e, number);
    const step = act.dataset.step && document.querySelector(`[data-step="${CSS.escape(act.dataset.step)}"]`);
    if (!step) return;
    const all = [...step.parentElement.querySelectorAll("[data-step]")];
    for (const [i, e] of all.entries()) {
      if (!this.steps.has(e)) this.steps.set(e, [e.className, e.ariaCurrent]);
      e.className = i < all.indexOf(step) ? "past" : e === step ? "now" : "";
      e.ariaCurrent = e === step ? "step" : null;
    }
  }

  // ---- what a beat may do -----------------------------------------------------------------------------------------------
  async glide({ dataset: d }, pace) { // a piece goes from place to place, step by step along a track
    const piece = marked("piece", d.piece), from = marked("place", d.from), to = marked("place", d.to);
    if (piece && from && to) await this.walk(piece, way(from, to), pace);
  }

  async fly(act, pace, delay) { // a drawing goes from place to place; where things lie (data-holds) it stays until the parts come
    const from = marked("place", act.dataset.from), to = marked("place", act.dataset.to);
    if (!from || !to) return;
    const drawn = drawing(act), name = drawn.firstElementChild?.dataset.token;
    const left = name && [...from.querySelectorAll(`[data-token="${CSS.escape(name)}"]`)].findLast(e => getComputedStyle(e).visibility !== "hidden");
    if (left) this.held.push(left.animate([{ visibility: "hidden" }, { visibility: "hidden" }], { fill: "both" })); // it is the one that leaves
    this.tick(from, name, -1);
    await this.throw(drawn, from, to, pace, delay);
    this.tick(to, name, 1);
    if (act.dataset.count) this.add(act.dataset.count, +act.dataset.by);
  }

  async gain(act, pace, delay) { // a number goes to its count; a piece that shows the count walks on its track
    const count = marked("count", act.dataset.count), by = +act.dataset.by;
    if (!count || !by) return;
    const token = document.createElement("b");
    token.className = "gain";
    token.textContent = (by < 0 ? "−" : "+") + Math.abs(by);
    token.style.setProperty("--c", getComputedStyle(count).getPropertyValue("--c"));
    await this.throw(token, marked("place", act.dataset.from) ?? count, count, pace, delay, 1.5);
    const was = +count.textContent;
    this.add(act.dataset.count, by);
    count.classList.add("spotlit");
    this.lit.push(count);
    const walker = document.querySelector(`[data-walks="${CSS.escape(act.dataset.count)}"]`), track = walker && marked("track", walker.dataset.on);
    if (!track) return;
    const all = track.children, at = n => all[(((n - 1) % all.length) + all.length) % all.length];
    await this.walk(walker, Array.from({ length: Math.abs(by) + 1 }, (_, i) => at(was + i * Math.sign(by))), pace);
  }

  frame(acts) { // room for all that is going to be shown large, so that nothing moves when more comes
    const shown = acts.filter(act => act.dataset.does === "show"), room = $("exhibits");
    const frames = new Map(shown.map(act => {
      const frame = document.createElement("div");
      frame.className = "exhibit waits";
      frame.append(drawing(act));
      return [act, frame];
    }));
    room.append(...frames.values());
    if (shown.length) this.hang(room);
    return frames;
  }

  strike(hearts, pace) { // so many of the hearts that are shown large fall
    const left = hearts ? [...$("exhibits").querySelectorAll("[data-falls]")].slice(0, hearts) : [];
    return Promise.all(left.map(heart => {
      heart.removeAttribute("data-falls");
      return this.move(heart, [{}, { transform: "scale(1.5)" }, { transform: "translateY(3rem) rotate(40deg)", opacity: 0 }], this.pace.motion * pace, "ease-in");
    }));
  }

  async show(act, pace, _, frame) { // a drawing, large, in the middle of the board; it leaves when its time is over
    frame.classList.remove("waits");
    const away = (place, over) => { const [x, y] = offset(frame, place); return { transform: `translate(${x}px, ${y}px) scale(.2)`, opacity: 0, ...over }; };
    const from = marked("place", act.dataset.from), to = marked("place", act.dataset.to);
    await this.move(frame, [from ? away(from) : { transform: "scale(.4)", opacity: 0 }, { transform: "none", opacity: 1 }], this.pace.motion * pace);
    return async () => {
      await this.move(frame, [{ transform: "none" }, to ? away(to, { opacity: 1 }) : { opacity: 0 }], this.pace.motion * pace * (to ? 0.8 : 0.3));
      frame.remove();
    };
  }

  hang(room) { // in the middle of the board, whole, and beside the sentence: where there is more room, over or under it
    const first = this.live.querySelector(".middle > :first-child").getBoundingClientRect(), told = $("now").getBoundingClientRect();
    const board = first.width ? first : this.live.querySelector(".middle").getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high } = room, middle = Math.max(innerHeight * 0.3, Math.min(board.y + board.height / 2, innerHeight / 2));
    const over = told.top - GAP, under = innerHeight - GAP - told.bottom, isOver = over >= under;
    const covered = told.height && middle + high / 2 > told.top - GAP && middle - high / 2 < told.bottom + GAP;
    const space = isOver ? over : under, scale = Math.min(1, (innerWidth - 2 * GAP) / wide, covered ? (space - GAP) / high : 1);
    const y = !covered ? middle : isOver ? told.top - GAP - high * scale / 2 : told.bottom + GAP + high * scale / 2;
    const x = Math.max(GAP + wide * scale / 2, Math.min(board.x + board.width / 2, innerWidth - GAP - wide * scale / 2));
    Object.assign(room.style, { left: `${x + scrollX}px`, top: `${y + scrollY}px`, scale });
  }

  // ---- motion -------------------------------------------------------------------------------------------------------------
  move(element, frames, ms, easing = "cubic-bezier(.3, .1, .2, 1)", late = 0) {
    const duration = still.matches || "still" in document.documentElement.dataset || this.over ? 0 : ms, delay = duration && late;
    const motion = element.animate(frames, { duration, delay, easing, fill: "both" });
    this.held.push(motion);
    return duration ? motion.finished.catch(() => {}) : null;
  }

  tick(place, name, by) { // how many of them lie there
    const heap = name && place.querySelector(`[data-heap="${CSS.escape(name)}"]`);
    if (heap) this.count(heap, Math.max(0, +heap.textContent + by));
  }

  add(name, by) { for (const e of everyCount(name)) this.count(e, +e.textContent + by); }

  count(element, number) { // until the parts come
    if (!this.texts.has(element)) this.texts.set(element, element.textContent);
    element.textContent = number;
  }

  throw(token, from, to, pace, delay, large = 1) {
    const [x, y] = middle(from), box = document.createElement("div");
    box.className = "token";
    box.append(token);
    box.style.left = `${x + scrollX}px`;
    box.style.top = `${y + scrollY}px`;
    $("stage").append(box);
    const stays = to.hasAttribute("data-holds"), boxes = this.landed.get(to) ?? [], lie = stays ? boxes.length : 0;
    this.landed.set(to, [...boxes, box]);
    let [dx, dy] = offset(from, to);
    dx += (lie % 2 ? 1 : -1) * Math.ceil(lie / 2) * 0.7 * box.offsetWidth; // beside those that came before
    const end = `translate(${dx}px, ${dy}px)`;
    return this.move(box, [
      { transform: `scale(${0.6 * large})` },
      { transform: `translate(${dx / 2}px, ${dy / 2 - 24}px) scale(${1.5 * large})` },
      { transform: `${end} scale(1)`, offset: stays ? 1 : 0.9 },
      ...(stays ? [] : [{ transform: `${end} scale(.4)`, opacity: 0 }]),
    ], this.pace.motion * 1.2 * pace, undefined, delay);
  }

  walk(piece, places, pace) {
    const base = this.shifts.get(piece) ?? places[0]; // where the board has it
    this.shifts.set(piece, base);
    const stops = places.map(place => offset(base, place));
    const hops = stops.flatMap(([x, y], i) => [
      ...(i ? [{ transform: `translate(${(stops[i - 1][0] + x) / 2}px, ${(stops[i - 1][1] + y) / 2 - 14}px)` }] : []),
      { transform: `translate(${x}px, ${y}px)` },
    ]);
    const { motion, step, walk } = this.pace;
    return this.move(piece, hops, Math.min(walk, Math.max(motion, step * (places.length - 1))) * pace, "linear");
  }

  clear() { // the truth is on the board: away with what was held
    for (const motion of this.held.splice(0)) motion.cancel();
    this.shifts.clear();
    this.texts.forEach((text, element) => { element.textContent = text; });
    this.texts.clear();
    this.steps.forEach((look, element) => { [element.className, element.ariaCurrent] = look; });
    this.steps.clear();
    this.landed.clear();
    $("stage").replaceChildren($("exhibits"));
    $("exhibits").replaceChildren();
  }
}

const me = () => +(document.getElementById("act")?.dataset.me ?? -1);
// How many of the first beats only do what one has chosen oneself: nothing is shown, thrown or told that one did not know.
function ownActs(beats) {
  const isOwn = beat => actsOf(beat).every(({ dataset: d }) => +(d.seat ?? -2) === me() && d.does !== "show" && d.sound !== "dice")
    && !isNote(beat) && (beat.dataset.rest !== "result" || actsOf(beat).some(act => act.dataset.does === "fly"));
  const other = beats.findIndex(beat => !isOwn(beat));
  return other < 0 ? beats.length : other;
}
// The acts of a beat, in the groups that are shown one after the other.
const oneByOne = acts => acts.reduce((groups, act) => (act.dataset.next && groups.at(-1).length ? [...groups, [act]] : [...groups.slice(0, -1), [...groups.at(-1), act]]), [[]]);
const isNote = li => li.dataset.rest === "tap";
const notes = () => document.querySelectorAll("#part-guide .note");
const drawing = act => act.querySelector("template")?.content.cloneNode(true) ?? document.createDocumentFragment();
const middle = e => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
const offset = (a, b) => { const [x, y] = middle(a), [u, v] = middle(b); return [u - x, v - y]; };

// The places between two of the same track, both included; a track that is a loop is walked on beyond its end.
function way(from, to) {
  const track = from.closest("[data-track]"), all = track ? [...track.children] : [], a = all.indexOf(from), b = all.indexOf(to);
  if (a < 0 || b < 0) return [from, to];
  if (track.hasAttribute("data-loop") && b < a && a - b > all.length / 2) return [...all.slice(a), ...all.slice(0, b + 1)];
  return a <= b ? all.slice(a, b + 1) : all.slice(b, a + 1).reverse();
}
