// Live parts: an element with data-live-every="SECONDS" gets the event `live` that often while the tab is visible.
// Its hx-trigger is "live", so htmx fetches and swaps; the server draws a final state without the attribute,
// and with that the polling ends. A tab that comes back to the front asks at once.
(() => {
  const last = new WeakMap();

  function ask(now) {
    if (document.hidden) return;
    for (const element of document.querySelectorAll("[data-live-every]")) {
      const every = Number(element.dataset.liveEvery) * 1000;
      if (!last.has(element)) last.set(element, now);
      if (now - last.get(element) < every) continue;
      last.set(element, now);
      element.dispatchEvent(new CustomEvent("live"));
    }
  }

  setInterval(() => ask(performance.now()), 250);
  document.addEventListener("visibilitychange", () => ask(performance.now()));
})();
