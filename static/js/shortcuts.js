// Ctrl K (or ⌘ K) goes to the search.
(() => {
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
    const field = document.querySelector('[data-shortcut="k"]');
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
})();
