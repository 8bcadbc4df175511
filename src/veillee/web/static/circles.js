// circles.js: the next evening in the time of the reader, and their time zone in the form. Without it times are in UTC.
for (const time of document.querySelectorAll("time[data-local]"))
  time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, { dateStyle: "full", timeStyle: "short" });
const zone = document.getElementById("zone");
if (zone && !zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
