// pwa.js: the house on this device. A page works without it; where there is no https it does nothing.
navigator.serviceWorker?.register("/sw.js").catch(() => {});
