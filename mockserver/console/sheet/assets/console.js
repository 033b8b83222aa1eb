// What the console does beyond its pages: keys, copying, a list that grows without
// jumping, and whether the page is live. Everything works without it.
"use strict";
(() => {
  const most = 500; // rows that a list keeps
  const by = (id) => document.getElementById(id);
  const root = document.body.dataset.root;
  const wide = () => matchMedia("(min-width: 64rem)").matches;
  const live = () => by("feed")?.dataset.stream === "live";

  // Live or not.
  const state = (on) => {
    const s = by("live");
    if (!s) return;
    s.classList.toggle("on", on);
    s.classList.toggle("off", !on);
    if (on) { s.textContent = "live"; s.dataset.since = ""; return; }
    if (!s.dataset.since) s.dataset.since = new Date().toTimeString().slice(0, 5);
    s.textContent = "not live since " + s.dataset.since;
  };
  document.addEventListener("htmx:sse:after:connection", () => state(true));
  for (const name of ["htmx:sse:error", "htmx:sse:close", "htmx:sse:before:connection"])
    document.addEventListener(name, (e) => { if (e.type !== "htmx:sse:before:connection" || e.detail.connection.attempt > 0) state(false); });

  // The list: what comes while one reads waits above.
  let paused = false, held = [], count = 0;
  const reading = () => paused || scrollY > 120 || document.querySelector("#rows tr.on") !== null && wide() === false;
  const show = () => {
    const b = by("new");
    if (!b) return;
    b.hidden = count === 0;
    b.textContent = count + " new";
  };
  const insert = (html) => {
    const rows = by("rows");
    if (!rows || !html) return;
    htmx.swap({ text: html, target: rows, swap: "afterbegin", sourceElement: by("feed") });
  };
  const tidy = () => {
    const rows = by("rows");
    if (!rows) return;
    if (rows.children.length && by("waiting")) { by("waiting").remove(); by("first").hidden = false; }
    if (rows.children.length && by("first")?.hidden) { by("first").hidden = false; by("first").previousElementSibling?.remove(); }
    const seen = new Set();
    for (const tr of [...rows.children]) {
      if (tr.id && seen.has(tr.id)) tr.remove();
      seen.add(tr.id);
    }
    while (rows.children.length > most) rows.lastElementChild.remove();
  };
  const flush = () => {
    const all = held;
    held = []; count = 0; show();
    for (const html of all) insert(html);
    tidy();
  };
  document.addEventListener("htmx:sse:before:message", (e) => {
    const m = e.detail.message;
    if (!live() || m.event) return;
    e.preventDefault();
    if (!m.data) return;
    if (reading()) {
      held.push(m.data);
      count += m.data.split("<tr ").length - 1;
      while (held.length > 200) held.shift();
      show();
      return;
    }
    insert(m.data);
    tidy();
  });
  addEventListener("scroll", () => { if (count && !reading()) flush(); }, { passive: true });
  const pause = () => {
    const b = by("pause");
    if (!b) return;
    paused = !paused;
    b.setAttribute("aria-pressed", paused);
    b.textContent = paused ? "Go on" : "Pause";
    if (!paused) flush();
  };

  // Other pages follow the news, unless somebody is writing in them.
  let fresh = null;
  const again = () => { // a page that is still being worked out is asked for again
    const el = document.querySelector("[data-again]");
    if (el) refresh(Number(el.dataset.again));
  };
  const refresh = (after) => {
    if (fresh) return;
    fresh = setTimeout(() => {
      fresh = null;
      const main = by("main"), at = document.activeElement;
      if (main.contains(at) && /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName) || document.querySelector(".screen-file, .screen-settings, .screen-entries")) return;
      const open = [...main.querySelectorAll("details")].map((d) => d.open);
      htmx.ajax("GET", location.href, { target: "#main", select: "#main", swap: "outerMorph", source: by("feed") })
        .then(() => { [...by("main").querySelectorAll("details")].forEach((d, n) => { if (n in open) d.open = open[n]; }); sliders(); again(); });
    }, after);
  };
  document.addEventListener("news", () => refresh(400));

  // An entry beside the list.
  const rows = () => [...document.querySelectorAll(".entries tr.entry")];
  const choose = (tr) => {
    document.querySelector(".entries tr.on")?.classList.remove("on");
    if (!tr) return;
    tr.classList.add("on");
    tr.scrollIntoView({ block: "nearest" });
  };
  const open = (tr) => {
    const a = tr?.querySelector("a.open");
    if (!a) return;
    choose(tr);
    if (wide() && by("detail")) {
      htmx.ajax("GET", a.href, { target: "#detail", select: "#entry", swap: "innerHTML" }).then(buttons);
      return;
    }
    location.href = a.href;
  };
  const close = () => {
    by("keys").hidden = true;
    choose(null);
    document.querySelectorAll("details.clock[open]").forEach((d) => { d.open = false; });
    document.activeElement?.blur();
  };

  // Copying.
  const buttons = () => {
    for (const el of document.querySelectorAll(".copyable:not([data-copy])")) {
      el.dataset.copy = "yes";
      const text = el.textContent, b = document.createElement("button");
      b.type = "button";
      b.className = "copy small quiet";
      b.textContent = "Copy";
      b.addEventListener("click", () => {
        navigator.clipboard?.writeText(text).then(() => { b.textContent = "Copied"; }, () => { b.textContent = "Select it by hand"; });
      });
      if (el.tagName === "PRE") el.after(b); else el.append(b);
    }
  };

  // Keys.
  let leader = false;
  addEventListener("keydown", (e) => {
    const at = document.activeElement, typing = /^(INPUT|SELECT|TEXTAREA)$/.test(at?.tagName);
    if (e.key === "Escape") return close();
    if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
    if (leader) {
      leader = false;
      const a = document.querySelector(`nav [data-key="${CSS.escape(e.key)}"]`);
      if (a) { e.preventDefault(); location.href = a.href; }
      return;
    }
    const list = rows(), now = list.findIndex((tr) => tr.classList.contains("on"));
    const keys = {
      j: () => choose(list[Math.min(now + 1, list.length - 1)]),
      k: () => choose(list[Math.max(now - 1, 0)]),
      Enter: () => { if (now >= 0 && at?.tagName !== "A" && at?.tagName !== "BUTTON" && at?.tagName !== "SUMMARY") open(list[now]); },
      "/": () => { e.preventDefault(); by("q")?.focus(); },
      "?": () => { by("keys").hidden = !by("keys").hidden; },
      p: pause,
      g: () => { leader = true; setTimeout(() => { leader = false; }, 1500); },
    };
    keys[e.key]?.();
  });
  document.addEventListener("click", (e) => {
    if (e.target.id === "pause") return pause();
    if (e.target.id === "new") { scrollTo({ top: 0 }); paused = false; by("pause").setAttribute("aria-pressed", "false"); by("pause").textContent = "Pause"; return flush(); }
    const a = e.target.closest("a.open"), tr = a?.closest("tr.entry");
    if (tr && by("detail") && wide() && !e.ctrlKey && !e.metaKey && !e.shiftKey && e.button === 0) { e.preventDefault(); open(tr); }
  });

  // The slider: the number beside it is what counts, and what works without scripts.
  const sliders = () => document.querySelectorAll("[data-range]").forEach((box) => { box.hidden = false; });
  const other = (el) => el.closest("form.slider")?.querySelector(el.type === "range" ? "input[name=at]" : "input[type=range]");
  document.addEventListener("input", (e) => { if (other(e.target)) other(e.target).value = e.target.value; });
  document.addEventListener("change", (e) => {
    const form = e.target.closest("form.slider");
    if (!form || e.target.type !== "range") return;
    if (!by("then")) return form.requestSubmit();
    htmx.ajax("GET", form.action + "?at=" + e.target.value, { target: "#then", select: "#world", swap: "innerHTML" });
  });

  // A file that is dropped anywhere is opened.
  const zone = document.querySelector(".drop-zone");
  if (zone) {
    for (const name of ["dragover", "dragleave", "drop"])
      addEventListener(name, (e) => { e.preventDefault(); document.body.classList.toggle("over", name === "dragover"); });
    addEventListener("drop", (e) => {
      if (!e.dataTransfer.files.length) return;
      by("file").files = e.dataTransfer.files;
      zone.requestSubmit();
    });
  }

  if (by("pause")) by("pause").hidden = false;
  if (root && by("feed")) by("live").textContent = "connecting";
  buttons();
  sliders();
  again();
})();
