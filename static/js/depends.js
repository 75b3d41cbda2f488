// Parts of a form that matter only for some choices: data-when="FIELD" data-is="VALUE VALUE" shows the part for these.
// Without this script everything is shown, and the server reads only what matters.
(() => {
  function show(form) {
    for (const part of form.querySelectorAll("[data-when]")) {
      const chosen = form.elements[part.dataset.when]?.value || "";
      part.hidden = !part.dataset.is.split(" ").includes(chosen);
    }
  }

  const forms = () => new Set([...document.querySelectorAll("[data-when]")].map((part) => part.closest("form")));
  document.addEventListener("change", (event) => event.target.form && show(event.target.form));
  forms().forEach(show);
})();
