// Tells the server this browser's time zone (cookie `zone`), so that pages show instants in it.
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = document.cookie.split("; ").find((pair) => pair.startsWith("zone="));
  if (!zone || known === `zone=${encodeURIComponent(zone)}` || known === `zone=${zone}`) return;
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
})();
