// data-opens-dialog="ID" opens a <dialog>, data-closes-dialog closes the one around it.
(() => {
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens-dialog]");
    if (opener) {
      event.preventDefault();
      document.getElementById(opener.dataset.opensDialog)?.showModal();
    }
    event.target.closest("[data-closes-dialog]")?.closest("dialog")?.close();
  });
})();
