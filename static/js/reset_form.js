// The form that asks for a reset. Without this script everything is shown and works; with it, only what matters is.
// data-for="KIND KIND" is shown for these strategies, data-not-for for all others; data-topics when topics are chosen;
// data-when="FIELD" data-is="VALUE" for one value of another field; data-previews shows the plan anew when it is changed;
// data-adds-row="NAME" copies the last row with data-row="NAME", emptied; a chosen file is read into the text field; data-outdated appears once the form changes.
(() => {
  const form = () => document.querySelector("[data-reset-form]");
  const value = (name) => form()?.elements[name]?.value || "";

  function show() {
    if (!form()) return;
    const kind = value("kind");
    for (const part of form().querySelectorAll("[data-for]")) part.hidden = !part.dataset.for.split(" ").includes(kind);
    for (const part of form().querySelectorAll("[data-not-for]")) part.hidden = part.dataset.notFor.split(" ").includes(kind);
    for (const part of form().querySelectorAll("[data-topics]")) part.hidden = kind === "from_file" || value("scope") !== "topics";
    for (const part of form().querySelectorAll("[data-when]")) part.hidden = value(part.dataset.when) !== part.dataset.is;
    for (const part of form().querySelectorAll("[data-moment]")) part.hidden = kind === "restore" && value("restore_from") === "snapshot";
    for (const part of form().querySelectorAll("[data-adds-row]")) part.hidden = false;
  }

  async function readFile(input) {
    const text = form().elements.csv;
    const file = input.files[0];
    if (!file || file.size > 1_000_000) return; // sent as a file; the server names the limit
    text.value = await file.text();
    input.value = "";
    text.focus();
  }

  document.addEventListener("change", (event) => {
    if (!form()?.contains(event.target)) return;
    if (event.target.name === "file") readFile(event.target);
    if (event.target.name === "group" || event.target.name === "cluster") form().querySelector("[data-look]")?.click();
    if (event.target.matches("[data-previews]")) form().querySelector("#do-preview").click();
    show();
  });
  document.addEventListener("input", (event) => {
    if (!form()?.contains(event.target) || ["reason", "ticket", "not_before", "expires_at", "q", "sort"].includes(event.target.name)) return;
    for (const note of form().querySelectorAll("[data-outdated]")) note.hidden = false;
  });
  document.addEventListener("click", (event) => {
    const adds = event.target.closest("[data-adds-row]");
    if (!adds) return;
    const rows = form().querySelectorAll(`[data-row="${adds.dataset.addsRow}"]`);
    const row = rows[rows.length - 1].cloneNode(true);
    for (const input of row.querySelectorAll("input")) input.value = "";
    rows[rows.length - 1].after(row);
    row.querySelector("select, input").focus();
  });
  // What is typed while an answer is on its way is put back into the form that comes with it.
  const texts = () => [...form().querySelectorAll("input:not([type=radio], [type=checkbox], [type=file], [type=hidden]), textarea")];
  let sent = [];
  let late = [];

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt === form()) sent = texts().map((field) => field.value);
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "new-request" || !event.detail.shouldSwap) return;
    late = texts().flatMap((field, at) => {
      if (field.value === sent[at]) return [];
      const place = texts().filter((one) => one.name === field.name).indexOf(field);
      return [{ name: field.name, place, value: field.value, hasFocus: field === document.activeElement }];
    });
  });
  document.addEventListener("htmx:afterSettle", () => {
    for (const { name, place, value: typed, hasFocus } of late.splice(0)) {
      const field = texts().filter((one) => one.name === name)[place];
      if (!field) continue;
      field.value = typed;
      if (hasFocus) field.focus();
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    show();
  });
  show();
})();
