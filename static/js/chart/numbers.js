// What the chart's other parts share: colours of the theme, numbers and times in words. `window.historyChart` holds it.
// Offsets beyond 2^53 come as text: they are drawn rounded, and written exactly.
(() => {
  const language = document.documentElement.lang || "en";
  const grouped = new Intl.NumberFormat(language);
  const clocks = new Map();

  function colour(name) {
    const probe = document.createElement("i");
    probe.style.color = `var(--${name})`; // light-dark() is only resolved on an element
    document.body.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  }

  function clock(zone, options) {
    const key = zone + JSON.stringify(options);
    if (!clocks.has(key)) clocks.set(key, new Intl.DateTimeFormat(language, { timeZone: zone, ...options }));
    return clocks.get(key);
  }

  const day = (seconds, zone) => clock(zone, { day: "numeric", month: "short" }).format(seconds * 1000);
  const minute = (seconds, zone) =>
    clock(zone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(seconds * 1000);
  const exact = (seconds, zone) =>
    clock(zone, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" })
      .format(seconds * 1000);

  function shown(value) {
    if (value === null || value === undefined) return "–";
    return grouped.format(typeof value === "string" ? BigInt(value) : value);
  }

  function duration(seconds, units) {
    if (seconds === null || seconds === undefined) return "–";
    const names = units.split(" ");
    const sizes = [86400, 3600, 60, 1];
    let left = Math.floor(seconds);
    const parts = [];
    sizes.forEach((size, place) => {
      const count = Math.floor(left / size);
      left -= count * size;
      if (count && parts.length < 2) parts.push(`${count} ${names[place]}`);
    });
    return parts.join(" ") || `0 ${names[3]}`;
  }

  const plain = (values) => values.map((value) => (typeof value === "string" ? Number(value) : value));

  window.historyChart = { colour, day, minute, exact, shown, duration, plain };
})();
