// The theme switch: any element with data-theme-switch whose buttons have the values "", "light", "dark".
// The choice is a cookie that the server reads, so that the first paint is already right.
(() => {
  const root = document.documentElement;
  const chosen = () => root.dataset.bsTheme || "";

  function show() {
    for (const button of document.querySelectorAll("[data-theme-switch] button")) {
      button.setAttribute("aria-pressed", String(button.value === chosen()));
    }
  }

  function choose(theme) {
    if (theme) root.dataset.bsTheme = theme;
    else delete root.dataset.bsTheme;
    document.cookie = `theme=${theme}; path=/; max-age=${theme ? 31536000 : 0}; samesite=lax`;
    show();
    document.dispatchEvent(new CustomEvent("theme:changed"));
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-theme-switch] button");
    if (button) choose(button.value);
  });
  show();
})();
