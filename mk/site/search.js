"use strict";
// The search: all words have to be in an entry of search_index.js; those that have them in the
// title come first, and of those the ones whose title begins with them; so do those with the words side
// by side.
(() => {
  const form = document.getElementById("search");
  const field = form.elements.q;
  const found = document.getElementById("found");
  const results = document.getElementById("results");
  const most = 60;
  const entries = searchIndex.map(([kind, title, page, text]) => ({
    kind, title, page, text, low: title.toLowerCase(), all: `${title} ${text}`.toLowerCase(),
  }));

  function score(entry, words) {
    let sum = words.length > 1 && entry.all.includes(words.join(" ")) ? 25 : 0;
    for (const word of words) {
      if (!entry.all.includes(word)) return 0;
      const at = entry.low.indexOf(word);
      const whole = entry.low === word || entry.low.startsWith(`${word}(`);
      sum += whole ? 60 : at === 0 ? 30 : at > 0 ? 15 : 1;
    }
    return sum + (entry.kind === "rule" ? 3 : 0);
  }

  // Some of the text around the first word that is in it.
  function excerpt(text, words) {
    const low = text.toLowerCase();
    const places = words.map((word) => low.indexOf(word)).filter((i) => i >= 0);
    const begin = places.length > 0 ? Math.max(0, Math.min(...places) - 60) : 0;
    return `${begin > 0 ? "…" : ""}${text.slice(begin, begin + 220)}${begin + 220 < text.length ? "…" : ""}`;
  }

  // Text with the words marked.
  function marked(text, words) {
    const line = document.createElement("span");
    const parts = text.split(new RegExp(`(${words.map((word) => word.replace(/[^\w\s]/g, "\\$&")).join("|")})`, "gi"));
    parts.forEach((part, i) => {
      if (i % 2 === 0) return void line.append(part);
      const mark = document.createElement("mark");
      mark.textContent = part;
      line.append(mark);
    });
    return line;
  }

  function item(entry, words) {
    const row = document.createElement("li");
    const link = document.createElement("a");
    const kind = document.createElement("span");
    const text = document.createElement("p");
    link.href = entry.page;
    link.append(marked(entry.title, words));
    kind.className = "badge";
    kind.textContent = entry.kind;
    text.append(marked(excerpt(entry.text, words), words));
    row.append(link, " ", kind, text);
    return row;
  }

  function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = !words.length ? [] : entries.map((entry) => ({ entry, score: score(entry, words) }))
      .filter((hit) => hit.score > 0).sort((a, b) => b.score - a.score);
    results.replaceChildren(...hits.slice(0, most).map((hit) => item(hit.entry, words)));
    found.textContent = !words.length ? `${entries.length} rules, facts and sections of the manual`
      : hits.length > most ? `${hits.length} found, the first ${most}` : `${hits.length} found`;
  }

  field.value = new URLSearchParams(location.search).get("q") || "";
  field.addEventListener("input", () => {
    history.replaceState(null, "", field.value ? `?q=${encodeURIComponent(field.value)}` : location.pathname.split("/").pop());
    show();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
})();
