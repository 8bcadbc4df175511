// sha256.js: SHA-256 (FIPS 180-4) where the browser offers none: crypto.subtle is for https and localhost only, and friends on one
// network play over plain http. tests/web/browser/test_contribution.py compares it with Python's.
const BLOCK = 64, WORD = 2 ** 32;
const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every(prime => n % prime)) primes.push(n);
const fraction = root => Math.floor((root % 1) * WORD) >>> 0;
const STEPS = primes.map(prime => fraction(Math.cbrt(prime)));
const turn = (word, bits) => (word >>> bits) | (word << (32 - bits));

function padded(bytes) {
  const all = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  all.set(bytes);
  all[bytes.length] = 0x80;
  new DataView(all.buffer).setUint32(all.length - 4, bytes.length * 8);
  return all;
}

// Returns the hash of fewer than 2^29 bytes.
export function sha256(bytes) {
  const state = primes.slice(0, 8).map(prime => fraction(Math.sqrt(prime)));
  const view = new DataView(padded(bytes).buffer), w = new Uint32Array(64);
  for (let at = 0; at < view.byteLength; at += BLOCK) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) { w[i] = view.getUint32(at + 4 * i); continue; }
      const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + STEPS[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] = (state[i] + word) | 0; });
  }
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => hash.setUint32(4 * i, word));
  return new Uint8Array(hash.buffer);
}
