// Bots, advice and analyses, in a Web Worker: veillee.page.thinker_in_page.
import { startPython } from "./python.js";

const ready = startPython(["engine.bundle"], "veillee.page.thinker_in_page").then(({ module, confirm }) => { confirm(); return module; });

onmessage = async ({ data: { n, kind, text } }) => {
  try {
    const thinker = await ready;
    if (kind === "answer") postMessage({ n, answer: thinker.answer_line(text) });
    else {
      thinker.analyse_line(text, line => postMessage({ n, line }));
      postMessage({ n, answer: "" });
    }
  } catch (error) {
    postMessage({ n, wrong: String(error.message ?? error) });
  }
};
