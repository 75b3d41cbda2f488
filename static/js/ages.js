// Keeps "12 min ago" true: every <time data-age> counts on. The words come from the server's language.
(() => {
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang || "en", { style: "narrow", numeric: "always" });
  const units = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

  function tell(element) {
    const seconds = Math.round((new Date(element.dateTime) - Date.now()) / 1000);
    const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) || units[3];
    // Narrow English is "5s ago" and "31m ago"; the server says "5 s ago" and "31 min ago".
    element.textContent = words.format(Math.trunc(seconds / size), unit).replace(/(\d)m\b/, "$1min").replace(/(\d)([a-z])/, "$1 $2");
  }

  const tick = () => { if (!document.hidden) document.querySelectorAll("time[data-age]").forEach(tell); };
  setInterval(tick, 5000);
  document.addEventListener("visibilitychange", tick);
})();
