// Says it when a script of this page is missing or damaged, or when the browser knows no modules. A plain script, because it must
// run where modules do not.
(function () {
  function say(fr, en) {
    const said = document.getElementById("said");
    document.getElementById("progress").hidden = true;
    said.textContent = /^fr/.test(navigator.language) ? fr : en;
  }
  addEventListener("error", function (event) {
    const isMissing = event.target && event.target.tagName === "SCRIPT";
    const isDamaged = event.filename && !document.documentElement.dataset.started; // a module that cannot be read
    if (!isMissing && !isDamaged) return;
    const name = isMissing ? event.target.getAttribute("src") : event.filename.replace(/.*\//, "");
    say(
      "Un fichier de cette page manque ou est abîmé (" + name + "). Rechargez la page ; si rien ne change, sa mise en ligne est incomplète.",
      "A file of this page is missing or damaged (" + name + "). Reload the page; if that does not help, it was not uploaded completely."
    );
  }, true);
  addEventListener("DOMContentLoaded", function () {
    if (!("noModule" in HTMLScriptElement.prototype)) {
      say("Ce navigateur est trop ancien pour cette page.", "This browser is too old for this page.");
    }
  });
})();
