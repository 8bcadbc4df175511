// notifications.js: the page of one's turns: Web Push and the notifications of this browser. The rest works without it.
const zone = document.getElementById("zone");
if (zone && !zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

const push = document.getElementById("push"), refused = document.getElementById("push-refused");
const bytes = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0));

async function subscribe(event) {
  event.preventDefault();
  try {
    const worker = await navigator.serviceWorker.ready;
    const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(push.dataset.key) });
    document.getElementById("subscription").value = JSON.stringify(subscription);
    push.submit();
  } catch { refused.hidden = false; }
}
if (push && "serviceWorker" in navigator && "PushManager" in window) {
  push.hidden = false;
  push.addEventListener("submit", subscribe);
}

const local = document.getElementById("local"), notify = document.getElementById("notify");
const isOn = () => localStorage.getItem("notify") === "on" && Notification.permission === "granted";
if (local && "Notification" in window && window.isSecureContext) {
  local.hidden = false;
  notify.ariaPressed = isOn();
  notify.addEventListener("click", async () => {
    const on = !isOn() && await Notification.requestPermission() === "granted";
    localStorage.setItem("notify", on ? "on" : "off");
    notify.ariaPressed = on;
  });
}
