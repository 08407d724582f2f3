"use strict";
(() => {
  const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\ufffe\uffff]/gu;
  const find = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const hex = (c) => c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
  const visible = (text) => text.replace(HIDDEN, (c) => `⟨U+${hex(c)}⟩`);

  /** Make an element. Texts become text nodes: nothing here is ever read as HTML. */
  function make(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) element[key] = value;
      else if (value !== null) element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  }

  // Tables

  function sortBy(table, column, head) {
    const descending = head.getAttribute("aria-sort") !== "descending";
    for (const other of all("th[aria-sort]", table)) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const keyed = [...table.tBodies[0].rows].map((row) => {
      const { number } = row.cells[column].dataset;
      return [number === undefined ? null : Number(number), row.cells[column].textContent, row];
    });
    const sign = descending ? -1 : 1;
    keyed.sort(([a, x], [b, y]) => {
      if (a === null || b === null) return (a === null) - (b === null) || sign * x.localeCompare(y);
      return sign * (a - b);
    });
    table.tBodies[0].append(...keyed.map(([, , row]) => row));
  }

  for (const table of all("table.sortable")) {
    [...table.tHead.rows[table.tHead.rows.length - 1].cells].forEach((head, column) => {
      const button = make("button", { onclick: () => sortBy(table, column, head) });
      button.append(...find(".head", head).childNodes);
      head.replaceChildren(button);
      head.setAttribute("aria-sort", "none");
    });
  }

  // Print and copy

  find("#print").onclick = () => window.print();
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    for (const one of folded) {
      one.open = true;
      one.ontoggle?.();
    }
  });
  window.addEventListener("afterprint", () => folded.forEach((one) => { one.open = false; }));

  async function copy(code, button) {
    getSelection().selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
    }
  }
  for (const item of all(".copied li")) {
    const code = find("code", item);
    const label = `Copy ${code.textContent.split("|")[0]}`;
    const button = make("button", { "aria-label": label, onclick: () => copy(code, button) }, "Copy");
    item.append(" ", button);
  }

  // Segments

  const place = find("#data");
  if (!place) return;

  async function read() {
    if (place.type === "application/json") return JSON.parse(place.textContent);
    const text = atob(place.textContent);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  }

  const SINGLE = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
  const WORD = new RegExp(`[${SINGLE}]|(?:(?![${SINGLE}])[\\p{L}\\p{M}\\p{N}])+|\\S`, "gu");
  const LONGEST = 4;
  const LONG = 50000;

  const words = (text) => text.length > LONG ? [] : [...text.matchAll(WORD)];
  const forms = (tokens) => tokens.map(([form]) => form);

  /** For each word, how many words the longest n-gram there has that another text has, too. */
  function strengths(own, others) {
    const best = new Array(own.length).fill(0);
    for (let n = 1; n <= LONGEST; n += 1) {
      const grams = new Set();
      for (const other of others) {
        for (let i = 0; i + n <= other.length; i += 1) grams.add(other.slice(i, i + n).join(" "));
      }
      for (let i = 0; i + n <= own.length; i += 1) {
        if (grams.has(own.slice(i, i + n).join(" "))) best.fill(n, i, i + n);
      }
    }
    return best;
  }

  /** Write a text: what other texts have is marked, what the rival lacks is underlined. Marks of a metric stand for both. */
  function written(text, others, rival, judged) {
    const line = make("div", { class: "text", dir: "auto" });
    if (text === null) {
      line.append("(missing)");
      return line;
    }
    if (text.length > 2000) {
      line.tabIndex = 0;
      line.setAttribute("role", "region");
      line.setAttribute("aria-label", "long text");
    }
    if (judged) {
      const cuts = [...new Set([0, text.length, ...judged.flatMap((mark) => mark.slice(1, 3))])].sort((a, b) => a - b);
      const add = (own, piece) => line.append(own.length ? make("mark", { class: `v${own[0][3]}`, tabindex: 0 }, piece,
        make("span", { class: "said" }, ` [${own.map((mark) => visible(mark[4])).join("; ")}] `)) : piece);
      cuts.forEach((here, n) => {
        const missing = judged.filter(([, start, end]) => start === here && end === here);
        if (missing.length) add(missing, "‸");
        const there = cuts[n + 1];
        if (there) add(judged.filter(([, start, end]) => start <= here && end >= there), visible(text.slice(here, there)));
      });
      return line;
    }
    const tokens = words(text);
    const marks = strengths(forms(tokens), others);
    const known = rival && new Set(rival);
    let end = 0;
    tokens.forEach((token, i) => {
      const alone = known && !known.has(token[0]);
      if (!marks[i] && !alone) return;
      line.append(visible(text.slice(end, token.index)));
      const kinds = [marks[i] ? `m${marks[i]}` : "", alone ? "only" : ""].filter(Boolean);
      line.append(make("mark", { class: kinds.join(" ") }, visible(token[0])));
      end = token.index + token[0].length;
    });
    line.append(visible(text.slice(end)));
    return line;
  }

  const ROW = 30;
  const [NUMBER, DOCUMENT, SOURCE, REFERENCES, OUTPUTS, SCORES, MARKS] = [0, 1, 2, 3, 4, 5, 6];

  function start({ systems, metrics, signs, decimals, documents, segments }) {
    const state = { metric: 0, a: 0, b: systems.length > 1 ? 1 : -1, sort: "number", down: false, query: "", number: null };
    let order = [];
    const list = find("#list");
    const pane = find("#shown");
    const body = find("tbody", list);
    const controls = all("#metric, #a, #b");

    const score = (segment, system) => metrics.length ? segment[SCORES][state.metric][system] ?? NaN : 0;
    const shown = (x) => Number.isFinite(x) ? x.toFixed(decimals) : "–";
    const COLUMNS = {
      number: ["no.", (segment) => segment[NUMBER]],
      a: ["", (segment) => score(segment, state.a)],
      b: ["", (segment) => score(segment, state.b)],
      difference: ["difference", (segment) => score(segment, state.a) - score(segment, state.b)],
    };
    const columns = () => ["number", ...metrics.length ? ["a", ...state.b < 0 ? [] : ["b", "difference"]] : []];
    const position = () => order.findIndex((one) => one[NUMBER] === state.number);

    // The list, of which only the rows in sight exist

    function row(segment, at) {
      const n = segment[NUMBER];
      const snippet = [segment[OUTPUTS][state.a], segment[SOURCE], ...segment[REFERENCES]].find(Boolean) || "";
      // The clicks on the button reach the row.
      return make("tr", { "aria-rowindex": at + 2, class: n === state.number ? "here" : null, onclick: () => change({ number: n }) },
        make("td", {}, make("button", { "data-number": n, "aria-label": `Open segment ${n}` }, n)),
        ...columns().slice(1).map((key) => make("td", {}, shown(COLUMNS[key][1](segment)))),
        make("td", { class: "snippet", dir: "auto" }, visible(snippet.slice(0, 200))));
    }

    function render() {
      const focused = document.activeElement?.dataset.number;
      const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 10);
      const last = Math.min(order.length, first + Math.ceil(list.clientHeight / ROW) + 20);
      const space = (n) => {
        const one = make("tr", { "aria-hidden": "true" });
        one.style.height = `${n * ROW}px`;
        return n > 0 ? [one] : [];
      };
      const rows = order.slice(first, last).map((segment, k) => row(segment, first + k));
      body.replaceChildren(...space(first), ...rows, ...space(order.length - last));
      if (focused) find(`[data-number="${focused}"]`, body)?.focus({ preventScroll: true });
    }

    function arrange() {
      const wanted = state.query.toLowerCase();
      const has = (text) => text !== null && text.toLowerCase().includes(wanted);
      order = segments.filter((one) => !wanted || String(one[NUMBER]) === wanted || has(documents[one[DOCUMENT]] ?? null) ||
        [one[SOURCE], ...one[REFERENCES], ...one[OUTPUTS]].some(has));
      const value = (one) => COLUMNS[state.sort][1](one) || 0;
      order.sort((one, other) => (state.down ? -1 : 1) * (value(one) - value(other)) || one[NUMBER] - other[NUMBER]);
      find("#count").textContent = `${order.length} of ${segments.length} segments`;
      find("table", list).setAttribute("aria-rowcount", order.length + 1);
      find("thead tr", list).replaceChildren(...columns().map((key) => {
        const sorted = state.sort !== key ? "none" : state.down ? "descending" : "ascending";
        const title = COLUMNS[key][0] || visible(systems[state[key]]);
        return make("th", { scope: "col", class: key, "aria-sort": sorted, title },
          make("button", { onclick: () => sortOn(key) }, title));
      }), make("th", { scope: "col", class: "snippet" }, "text"));
      list.scrollTop = 0;
    }

    function sortOn(key) {
      change({ sort: key, down: key === state.sort && !state.down });
    }

    // One segment

    function open() {
      const segment = segments.find((one) => one[NUMBER] === state.number);
      if (!segment) return;
      const references = segment[REFERENCES].map((text) => forms(words(text ?? "")));
      const output = (k) => forms(words(segment[OUTPUTS][k]));
      const marks = segment[MARKS][state.metric];
      const judged = (side, ...from) => marks && from.flatMap((k) => marks[k].filter((mark) => mark[0] === side)
        .map((mark) => from.length > 1 ? [...mark.slice(0, 4), `${systems[k]}: ${mark[4]}`] : mark));
      const line = (label, text) => make("div", { class: "row" }, make("bdi", { class: "faint" }, label), text);
      const of = (k) => {
        const rival = { [state.a]: state.b, [state.b]: state.a }[k] ?? -1;
        const label = metrics.length ? `${systems[k]} · ${metrics[state.metric]} ${shown(score(segment, k))}` : systems[k];
        return line(visible(label), written(segment[OUTPUTS][k], references, rival < 0 || rival === k ? null : output(rival), judged(0, k)));
      };
      const chosen = [...new Set([state.a, state.b])].filter((k) => k >= 0);
      const others = [...systems.keys()].filter((k) => !chosen.includes(k));
      const fold = (id, title, fill) => {
        const box = make("details", { id, ontoggle: () => { if (box.open && !box.children[1]) box.append(...fill()); } }, make("summary", {}, title));
        box.open = Boolean(find(`#${id}`)?.open);
        return box;
      };
      const name = documents[segment[DOCUMENT]];
      find("#title").textContent = `Segment ${segment[NUMBER]}` + (name === undefined ? "" : `, document ${visible(name)}`);
      pane.replaceChildren(
        ...segment[SOURCE] === null ? [] : [line("source", written(segment[SOURCE], [], null, judged(1, ...chosen)))],
        ...segment[REFERENCES].map((text, k) => line(`reference ${k}`, written(text, chosen.map(output), null, judged(2 + k, ...chosen)))),
        ...chosen.map(of),
        ...metrics.length ? [fold("scores", "All scores of the segment", () => [scores(segment)])] : [],
        ...others.length ? [fold("others", "Other systems", () => others.map(of))] : []);
    }

    function scores(segment) {
      const cells = (k) => segment[SCORES].map((values, m) => {
        const gain = (x) => x === null ? -Infinity : signs[m] * x;
        const best = gain(values[k]) === Math.max(...values.map(gain));
        return make("td", { class: best ? "best" : null }, shown(values[k]));
      });
      return make("div", { class: "scroll", role: "region", "aria-label": "Scores of the segment", tabindex: 0 }, make("table", {},
        make("thead", {}, make("tr", {}, ...["system", ...metrics].map((title) => make("th", { scope: "col" }, visible(title))))),
        make("tbody", {}, ...systems.map((title, k) => make("tr", {}, make("th", { scope: "row", class: "name" }, visible(title)), ...cells(k))))));
    }

    // State, which is in the address

    function save() {
      const named = { m: metrics[state.metric], a: systems[state.a], b: systems[state.b], s: (state.down ? "-" : "") + state.sort, q: state.query, n: state.number };
      const kept = Object.entries(named).filter(([, value]) => (value ?? "") !== "");
      history.replaceState(null, "", `#${new URLSearchParams(kept)}`);
    }

    function load() {
      const given = new URLSearchParams(location.hash.slice(1));
      if (!given.has("s")) return;
      const index = (names, key, otherwise) => names.includes(given.get(key)) ? names.indexOf(given.get(key)) : otherwise;
      state.metric = index(metrics, "m", 0);
      state.a = index(systems, "a", 0);
      state.b = index(systems, "b", -1);
      state.down = given.get("s").startsWith("-");
      state.sort = given.get("s").slice(state.down);
      state.query = given.get("q") ?? "";
      state.number = given.has("n") ? Number(given.get("n")) : null;
    }

    function draw(again) {
      for (const control of controls) control.value = state[control.id];
      if (!columns().includes(state.sort)) state.sort = "number";
      if (again) arrange();
      // Only a list with all its rows scrolls as far as it must.
      render();
      const top = position() * ROW;
      if (top >= 0 && (top < list.scrollTop || top + 2 * ROW > list.scrollTop + list.clientHeight)) list.scrollTop = top - list.clientHeight / 3;
      render();
      open();
    }

    function change(changes) {
      Object.assign(state, changes);
      draw(!("number" in changes));
      save();
    }

    function step(by) {
      const next = order[Math.max(0, Math.min(order.length - 1, position() + by))];
      if (!next) return;
      change({ number: next[NUMBER] });
      find("#pane").scrollIntoView({ block: "nearest" });
    }

    const query = find("#query");
    const keys = find("#keys");
    const KEYS = {
      j: () => step(1),
      k: () => step(-1),
      s: () => sortOn(columns()[(columns().indexOf(state.sort) + 1) % columns().length]),
      "/": () => query.focus(),
      "?": () => keys.showModal(),
    };
    document.onkeydown = (event) => {
      if (event.key === "Escape") query.blur();
      const typing = event.target.closest("input, select, dialog");
      if (typing || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
      event.preventDefault();
      KEYS[event.key]();
    };
    for (const control of controls) control.onchange = () => change({ [control.id]: Number(control.value) });
    query.oninput = () => change({ query: query.value });
    list.onscroll = render;
    find("#help").onclick = KEYS["?"];
    find("#close").onclick = () => keys.close();
    window.onhashchange = () => again();

    function again() {
      load();
      query.value = state.query;
      draw(true);
    }
    find("#browser").hidden = false;
    again();
    document.body.dataset.ready = Math.round(performance.now());
  }

  read().then(start);
})();
