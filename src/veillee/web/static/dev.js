// dev.js: only with `veillee serve --dev`. Loads the page again when what it is made of has changed.
let known;
new EventSource("/dev").onmessage = e => { if (known !== undefined && known !== e.data) location.reload(); known ??= e.data; };
