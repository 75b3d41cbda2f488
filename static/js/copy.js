// A button with data-copies="TEXT" copies it and says so for a moment.
(() => {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copies]");
    if (!button || !navigator.clipboard) return;
    await navigator.clipboard.writeText(button.dataset.copies);
    const label = button.textContent;
    button.textContent = "✓";
    setTimeout(() => { button.textContent = label; }, 1200);
  });
})();
