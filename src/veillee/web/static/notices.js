// notices.js: the page of one's turns. It fills in the time zone of this device; the page works without it.
const zone = document.getElementById("zone");
if (zone && !zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
