"use strict";
(() => {
  const form = document.querySelector("[data-filter]");
  const clauses = [...document.querySelectorAll("[data-clause]")];
  const areas = [...document.querySelectorAll("[data-area-group]")];
  const shown = form.querySelector("output");
  const words = new Map(clauses.map((c) => [c, c.textContent.toLowerCase()]));

  const apply = () => {
    const asked = form.elements.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const c of clauses) {
      const fits = ["verdict", "level", "area"].every((key) => !form.elements[key].value || form.elements[key].value === c.dataset[key]) &&
        asked.every((word) => words.get(c).includes(word));
      c.hidden = !fits;
      count += fits ? 1 : 0;
    }
    for (const a of areas) {
      a.hidden = !a.querySelector("[data-clause]:not([hidden])");
      if (count < clauses.length) a.querySelector("details").open = true;
    }
    shown.textContent = `${count} of ${clauses.length} clauses shown`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (e) => e.preventDefault());
  form.hidden = false;
  apply();

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  };
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = button.parentElement.querySelector("code");
      if (await copy(code.textContent)) {
        button.textContent = "Copied";
      } else {
        getSelection().selectAllChildren(code);
        button.textContent = "Selected: press Ctrl+C";
      }
    });
  }

  // A link opens the clause or the area that it names, and shows a clause even when
  // the filter hides it.
  const open = () => {
    const at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!at || !at.closest("details")) return;
    if (at.hidden) {
      form.reset();
      at.hidden = false;
    }
    for (let d = at.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
    at.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
})();
