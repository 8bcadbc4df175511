// Sentences of the shell in both languages: it speaks before Python is there.
const SENTENCES = {
  loading: { en: "Loading: {done} of {total} MB", fr: "Chargement : {done} sur {total} Mo" },
  starting: { en: "Starting…", fr: "Démarrage…" },
  opening: { en: "Opening as soon as it is ready…", fr: "Ouverture dès que tout est prêt…" },
  renew: { en: "A new version is ready.", fr: "Une nouvelle version est prête." },
  renewNow: { en: "Use it now", fr: "L’utiliser maintenant" },
  later: { en: "Later", fr: "Plus tard" },
  close: { en: "Close", fr: "Fermer" },
  unsaved: {
    en: "Your browser does not keep your games: this is a private window, or its storage is full. You can play on, but nothing will be here tomorrow.",
    fr: "Votre navigateur ne conserve pas vos parties : fenêtre privée, ou stockage plein. Vous pouvez jouer, mais rien ne sera gardé pour demain.",
  },
  insecure: {
    en: "This page needs https:// (or localhost) and service workers, which private windows of some browsers do not have.",
    fr: "Cette page a besoin de https:// (ou de localhost) et des service workers, absents des fenêtres privées de certains navigateurs.",
  },
  old: {
    en: "This browser is too old for this page: it lacks {what}.",
    fr: "Ce navigateur est trop ancien pour cette page : il lui manque {what}.",
  },
  broken: {
    en: "A file of this page is missing or damaged ({what}). Reload the page; if that does not help, it was not uploaded completely.",
    fr: "Un fichier de cette page manque ou est abîmé ({what}). Rechargez la page ; si rien ne change, sa mise en ligne est incomplète.",
  },
  failed: {
    en: "Veillée could not start: {what}",
    fr: "Veillée n’a pas pu démarrer : {what}",
  },
};

export const language = () => {
  const kept = document.cookie.match(/(?:^|; )lang=(en|fr)/)?.[1];
  return kept ?? (navigator.languages.map(tag => tag.slice(0, 2)).find(tag => tag === "en" || tag === "fr") ?? "fr");
};

export function sentence(name, values = {}) {
  return SENTENCES[name][language()].replace(/{(\w+)}/g, (_, key) => values[key]);
}
