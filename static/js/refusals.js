// A form that a part of the page sends and that is refused (the answer has HX-Retarget) shows the refusal at the top of
// the page, or at [data-said] of its dialog; what was typed stays. One that gets no answer with words says so there.
(() => {
  const form = (event) => event.detail.requestConfig?.verb !== "get" && event.detail.elt.closest("form");
  const room = (event) => event.detail.elt.closest("dialog")?.querySelector("[data-said]") ?? document.getElementById("said");

  function say(event) {
    if (!form(event) || event.detail.xhr?.getResponseHeader("HX-Retarget")) return;
    room(event).replaceChildren(document.getElementById("not-answered").content.cloneNode(true));
    room(event).scrollIntoView({ block: "center" });
  }

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!event.detail.xhr.getResponseHeader("HX-Retarget")) return;
    event.detail.target = room(event);
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (form(event)) room(event).replaceChildren();
  });
  document.addEventListener("htmx:responseError", say);
  document.addEventListener("htmx:sendError", say);
})();
