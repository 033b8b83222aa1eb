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

  // The clock in the frame stands where what the page shows stands, and runs if it runs.
  const now = by("now");
  let stood = now ? Date.parse(now.dateTime) : 0, since = Date.now();
  const tick = () => {
    if (!now || !stood) return;
    now.dateTime = new Date(stood + (now.dataset.runs ? Date.now() - since : 0)).toISOString();
    [now.firstChild.textContent, now.lastChild.textContent] = now.dateTime.slice(0, 19).split("T");
  };
  const stand = (moment) => { if (Date.parse(moment)) { stood = Date.parse(moment); since = Date.now(); tick(); } };
  if (now?.dataset.runs) setInterval(tick, 1000);
  document.addEventListener("clock", (e) => stand(e.detail.data));

  // The list: what comes while one reads waits above.
  let paused = false, held = [], count = 0;
  // What is pressed stays where it is until the press is over.
  let down = false;
  for (const name of ["pointerdown", "pointerup", "pointercancel"])
    addEventListener(name, (e) => { down = e.type === "pointerdown"; if (!down) setTimeout(() => { if (count && !reading()) flush(); }); }, true);
  document.addEventListener("htmx:before:swap", (e) => { if (down && !live() && e.detail.ctx.sourceElement === by("feed")) { e.preventDefault(); refresh(200); } });
  const reading = () => down || paused || scrollY > 120 || document.querySelector("#rows tr.on") !== null && wide() === false;
  const show = () => {
    const b = by("new");
    if (b) { b.hidden = count === 0; b.textContent = count + " new"; }
  };
  const insert = (html) => {
    const rows = by("rows");
    if (rows && html) htmx.swap({ text: html, target: rows, swap: "afterbegin", sourceElement: by("feed") });
  };
  const tidy = () => {
    const rows = by("rows");
    if (!rows) return;
    if (rows.children.length && by("first")?.hidden) { by("first").hidden = false; document.querySelector('[data-testid="none"]')?.remove(); }
    if (rows.querySelector('[title="exchange"]')) by("waiting")?.remove();
    const anew = [...rows.querySelectorAll("tr.anew")].pop(), seen = new Set(); // what is below is of another tape
    while (anew?.nextElementSibling) anew.nextElementSibling.remove();
    for (const tr of [...rows.children]) {
      if (tr.id && seen.has(tr.id)) tr.remove();
      seen.add(tr.id);
    }
    while (rows.children.length > most) rows.lastElementChild.remove();
  };
  const flush = () => {
    const all = held;
    held = []; count = 0; show();
    for (const m of all) { insert(m.html); tidy(); }
  };
  document.addEventListener("htmx:sse:before:message", (e) => {
    const m = e.detail.message;
    if (!live() || m.event) return;
    e.preventDefault();
    if (!m.data) return;
    if (reading()) {
      held.push({ html: m.data, rows: m.data.split("<tr ").length - 1 });
      count += held.at(-1).rows;
      let kept = held.reduce((sum, m) => sum + m.rows, 0); // what the list would not keep is let go, and nothing else
      while (kept - held[0].rows >= most) kept -= held.shift().rows;
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
        .then(() => { [...by("main").querySelectorAll("details")].forEach((d, n) => { if (n in open) d.open = open[n]; }); stand(by("main").dataset.now); buttons(); sliders(); again(); });
    }, after);
  };
  document.addEventListener("news", () => refresh(400));

  // An entry beside the list; where there is no list of entries the keys go through what the screen lists.
  const rows = () => {
    const list = [...document.querySelectorAll(".entries tr.entry")];
    return list.length ? list : [...document.querySelectorAll("main :is(.stack tbody tr, .mail, .timeline li, .lines li)")];
  };
  const choose = (tr) => {
    for (const el of document.querySelectorAll("main .on")) el.classList.remove("on");
    if (!tr) return;
    tr.classList.add("on");
    tr.scrollIntoView({ block: "nearest" });
  };
  const move = (tr) => {
    choose(tr);
    (tr?.querySelector("a.open") ?? tr?.querySelector("a"))?.focus({ preventScroll: true });
  };
  const hint = [...by("detail")?.childNodes ?? []];
  // What is open stands in the address, so that a way back, a reload or a copy shows it again.
  const detail = (address, seq, keys) => {
    history.replaceState(history.state, "", "#e" + seq);
    return htmx.ajax("GET", address, { target: "#detail", select: "#entry", swap: "innerHTML", source: by("detail") }) // the newest choice counts
      .then(() => { buttons(); by("detail").scrollTop = 0; if (keys) by("detail").focus({ preventScroll: true }); });
  };
  const open = (tr, keys) => {
    const a = tr?.querySelector("a.open");
    if (!a) return;
    choose(tr);
    if (wide() && by("detail")) return detail(a.href, tr.dataset.seq, keys);
    location.href = a.href;
  };
  // What was opened last is closed first, and one is where one was.
  let before = null;
  const close = () => {
    const over = [by("palette"), by("keys"), ...document.querySelectorAll("details.clock[open]")].filter((el) => el.open || el.hidden === false && el.id);
    for (const el of over) el.tagName === "DETAILS" ? el.open = false : el.hidden = true;
    if (by("palette").contains(document.activeElement)) document.activeElement.blur(); // what is hidden loses the focus only later
    if (over.length) { (over[0].querySelector("summary") ?? before)?.focus(); before = null; return; }
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName)) return document.activeElement.blur();
    const tr = document.querySelector(".entries tr.on");
    if (by("detail") && location.hash) {
      by("detail").replaceChildren(...hint);
      history.replaceState(history.state, "", location.pathname + location.search);
      if (tr) return move(tr);
    }
    choose(null);
    document.activeElement?.blur();
  };

  // Copying.
  const buttons = () => {
    for (const el of document.querySelectorAll(".copyable")) {
      if ((el.tagName === "PRE" ? el.nextElementSibling : el.lastElementChild)?.matches(".copy")) continue; // a page that was drawn again has lost its buttons
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

  // The palette: a screen by its name, an entry by its number, an entity by its id, and
  // anything else as a search.
  const ways = (text) => {
    const t = text.trim(), list = [];
    const add = (name, address) => list.push({ name, address });
    const number = /^#?(\d+)$/.exec(t);
    if (number) add("Entry #" + number[1], root + "/entries/" + number[1]);
    if (number) add("The world at entry #" + number[1], root + "/entities?at=" + number[1]);
    if (/^([0-9a-f]{8}-[0-9a-f-]{27}|pm_[0-9a-z]+)$/i.test(t)) add("Entity " + t, root + "/entities/" + t);
    if (/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(t)) add("Clause " + t, root + "/clauses/" + t);
    for (const a of document.querySelectorAll("header nav a"))
      if (a.textContent.toLowerCase().includes(t.toLowerCase())) add(a.textContent, a.href);
    const q = encodeURIComponent(t);
    if (t) {
      add("Search entries for “" + t + "”", root + "/live?q=" + q);
      add("Search entities for “" + t + "”", root + "/entities?q=" + q);
      add("Only the label “" + t + "”", root + "/live?label=" + q);
    }
    return list.slice(0, 14);
  };
  let chosen = 0, found = [];
  const list = () => {
    const ul = by("palette-list");
    ul.replaceChildren(...found.map((w, n) => {
      const li = document.createElement("li");
      li.id = "way-" + n;
      li.role = "option";
      li.ariaSelected = String(n === chosen);
      li.textContent = w.name;
      li.addEventListener("click", () => { location.href = w.address; });
      return li;
    }));
    if (found.length) by("palette-q").setAttribute("aria-activedescendant", "way-" + chosen);
    ul.children[chosen]?.scrollIntoView({ block: "nearest" });
  };
  const palette = () => {
    const p = by("palette"), q = by("palette-q");
    if (p.hidden) before = document.activeElement;
    p.hidden = false;
    q.value = "";
    chosen = 0;
    found = ways("");
    list();
    q.focus();
  };
  by("palette-q")?.addEventListener("input", (e) => { chosen = 0; found = ways(e.target.value); list(); });
  by("palette-q")?.addEventListener("keydown", (e) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Tab: e.shiftKey ? -1 : 1 }[e.key];
    if (step) { e.preventDefault(); chosen = (chosen + step + found.length) % Math.max(1, found.length); list(); }
    if (e.key === "Enter" && found[chosen]) { e.preventDefault(); location.href = found[chosen].address; }
  });

  // Keys.
  let leader = false;
  addEventListener("keydown", (e) => {
    const at = document.activeElement, typing = /^(INPUT|SELECT|TEXTAREA)$/.test(at?.tagName);
    if (e.key === "Escape") return close();
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "k" && root) { e.preventDefault(); return palette(); }
    if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
    if (leader) {
      leader = false;
      const a = document.querySelector(`nav [data-key="${CSS.escape(e.key)}"]`);
      return a && (e.preventDefault(), location.href = a.href);
    }
    const list = rows(), now = list.findIndex((tr) => tr.classList.contains("on"));
    const keys = {
      j: () => move(list[Math.min(now + 1, list.length - 1)]),
      k: () => move(list[Math.max(now - 1, 0)]),
      Enter: () => { if (now >= 0 && !/^(A|BUTTON|SUMMARY)$/.test(at?.tagName) && !by("detail")?.contains(at)) open(list[now], true); },
      "/": () => { if (by("q") || root) { e.preventDefault(); by("q") ? by("q").focus() : palette(); } },
      "?": () => { by("keys").hidden = !by("keys").hidden; },
      p: pause,
      ":": () => { if (root) { e.preventDefault(); palette(); } },
      g: () => { leader = true; setTimeout(() => { leader = false; }, 1500); },
    };
    keys[e.key]?.();
  });
  document.addEventListener("click", (e) => {
    if (e.target.id === "pause") return pause();
    if (e.target.id === "new") { scrollTo({ top: 0 }); paused = false; by("pause").setAttribute("aria-pressed", "false"); by("pause").textContent = "Pause"; return flush(); }
    const a = e.target.closest("a.open"), tr = a?.closest("tr.entry");
    if (tr && by("detail") && wide() && !e.ctrlKey && !e.metaKey && !e.shiftKey && e.button === 0) { e.preventDefault(); open(tr, e.detail === 0); }
  });

  // The slider: the number beside it is what counts, and what works without scripts.
  const sliders = () => document.querySelectorAll("[data-range]").forEach((box) => { box.hidden = false; });
  const other = (el) => el.closest("form.slider")?.querySelector(el.type === "range" ? "input[name=at]" : "input[type=range]");
  document.addEventListener("input", (e) => { if (other(e.target)) other(e.target).value = e.target.value; });
  document.addEventListener("change", (e) => {
    const form = e.target.closest("form.slider");
    if (!form || e.target.type !== "range") return;
    if (!by("then")) return form.requestSubmit();
    htmx.ajax("GET", form.action + "?at=" + e.target.value, { target: "#then", select: "#world", swap: "innerHTML", source: by("then") });
  });

  // On a phone a machine is wider than its window: the state that it is in is in view.
  for (const box of document.querySelectorAll(".diagram .scroll")) {
    const at = box.querySelector(".node.now")?.getBoundingClientRect();
    if (at) box.scrollLeft += at.left + at.width / 2 - box.getBoundingClientRect().left - box.clientWidth / 2;
  }

  // A file that is dropped anywhere is opened.
  const zone = document.querySelector(".drop-zone");
  if (zone) {
    for (const name of ["dragover", "dragleave", "drop"])
      addEventListener(name, (e) => {
        if (!e.dataTransfer?.types.includes("Files")) return; // a text that is moved goes where it is put
        e.preventDefault();
        document.body.classList.toggle("over", name === "dragover");
      });
    addEventListener("drop", (e) => {
      if (!e.dataTransfer?.files.length) return;
      by("file").files = e.dataTransfer.files;
      zone.requestSubmit();
    });
  }

  if (by("pause")) by("pause").hidden = false;
  if (root && by("feed")) by("live").textContent = "not yet"; // no longer than what it becomes, so that nothing moves on a phone
  const shown = /^#e(\d+)$/.exec(location.hash);
  if (shown && by("detail") && wide()) addEventListener("load", () => { choose(by("e" + shown[1])); detail(root + "/entries/" + shown[1], shown[1]); });
  // A search that has found nothing yet goes on by itself, and says how far it has come.
  let looked = "";
  const further = () => {
    const a = document.querySelector(".screen-live .list > [data-testid=none]") && document.querySelector(".list [data-testid=further]");
    if (!a || a.href === looked) return; // what did not come is not asked for again and again
    looked = a.href;
    htmx.ajax("GET", a.href, { target: ".list", select: ".list", swap: "outerHTML" }).then(further);
  };
  addEventListener("load", further);
  document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  buttons();
  sliders();
  again();
})();
