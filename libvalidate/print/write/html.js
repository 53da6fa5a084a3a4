
"use strict";
// A button beside each command. Where there is no clipboard, the command is selected instead.
for (const code of document.querySelectorAll(".command")) {
  const button = document.createElement("button");
  const say = (text) => { button.textContent = text; };
  button.type = "button";
  button.className = "copy";
  button.title = "Copy the command";
  button.setAttribute("aria-live", "polite");
  say("Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      say("Copied");
    } catch {
      getSelection().selectAllChildren(code);
      say(document.execCommand("copy") ? "Copied" : "Selected");
    }
    setTimeout(() => say("Copy"), 2000);
  });
  code.after(button);
}

// Filters: see html.h for what the document has to say. The controls of form.filters choose
// among the elements with data-item; what they are set to stands in the URL behind '#', so
// that a view can be linked. Without this script the form stays hidden and all items show.
(() => {
  const form = document.querySelector("form.filters");
  if (!form) return;

  const items = [...document.querySelectorAll("[data-item]")].map((element) => ({
    element, text: null, group: element.closest("[data-group]"),
  }));
  const boxes = [...form.querySelectorAll("fieldset input")];
  const switches = [...form.querySelectorAll("input.only")];
  const lists = [...form.querySelectorAll("select")];
  const names = [...new Set([...boxes, ...switches, ...lists].map((control) => control.name)), "q"];
  const shown = form.querySelector(".shown");
  const plural = (n) => `${n} ${form.dataset.what}${n === 1 ? "" : "s"}`;
  const words = (item, name) => (item.element.dataset[name] || "").split(" ");

  // A list without options offers what the items have.
  for (const list of lists.filter((each) => each.options.length === 1)) {
    const values = new Set(items.flatMap((item) => words(item, list.name)));
    for (const value of [...values].filter(Boolean).sort()) list.add(new Option(value, value));
  }

  // What each control asks for: null is "anything", else the words that will do.
  function wishes() {
    const wish = new Map(lists.map((list) => [list.name, list.value ? [list.value] : null]));
    for (const only of switches) wish.set(only.name, only.checked ? [only.value] : null);
    for (const name of new Set(boxes.map((box) => box.name))) {
      const all = boxes.filter((box) => box.name === name);
      const on = all.filter((box) => box.checked).map((box) => box.value);
      wish.set(name, on.length === all.length ? null : on);
    }
    const text = form.elements.q.value.trim().toLowerCase();
    wish.set("q", text ? text.split(/\s+/) : null);
    return wish;
  }

  function passes(item, name, wish) {
    if (!wish) return true;
    if (name !== "q") return words(item, name).some((word) => wish.includes(word));
    item.text ??= item.element.textContent.toLowerCase();
    return wish.every((part) => item.text.includes(part));
  }

  // Beside each box stands how many items it would show, given the other controls.
  function countBoxes(item, failed, tally) {
    for (const box of boxes)
      if (failed.every((name) => name === box.name) && words(item, box.name).includes(box.value))
        tally.set(box, tally.get(box) + 1);
  }

  function apply() {
    const wish = wishes();
    const tally = new Map(boxes.map((box) => [box, 0]));
    const groups = new Map();
    let visible = 0;
    for (const item of items) {
      const failed = names.filter((name) => !passes(item, name, wish.get(name)));
      item.element.hidden = failed.length > 0;
      countBoxes(item, failed, tally);
      visible += failed.length === 0;
      groups.set(item.group, (groups.get(item.group) || 0) + (failed.length === 0));
    }
    for (const [box, n] of tally) box.parentElement.querySelector(".count").textContent = n;
    for (const [group, n] of groups) {
      if (!group) continue;
      group.hidden = n === 0;
      group.querySelector("[data-count]").textContent = plural(n);
    }
    shown.value = visible === items.length ? plural(visible)
      : `${visible} of ${plural(items.length)}`;
    return wish;
  }

  function remember(wish) {
    const state = new URLSearchParams();
    for (const name of names)
      if (wish.get(name)) state.set(name, wish.get(name).join(name === "q" ? " " : ","));
    const hash = String(state).replace(/%2C/g, ",");
    history.replaceState(null, "", hash ? `#${hash}` : location.href.split("#")[0]);
  }

  // "#f12" is a place of the page, "#level=error&q=cart" a view of it.
  function recall() {
    const hash = location.hash.slice(1);
    if (hash && !hash.includes("=")) return false;
    const state = new URLSearchParams(hash);
    for (const box of boxes)
      box.checked = !state.has(box.name) || state.get(box.name).split(",").includes(box.value);
    for (const only of switches) only.checked = state.get(only.name) === only.value;
    for (const list of lists) list.value = state.get(list.name) || "";
    for (const list of lists) if (list.selectedIndex < 0) list.value = "";
    form.elements.q.value = state.get("q") || "";
    return true;
  }

  // A link to an item that the filters hide shows everything again.
  function reveal() {
    const target = document.getElementById(location.hash.slice(1));
    const details = target && target.closest("details");
    if (details) details.open = true;
    if (!target || !target.closest("[hidden]")) return;
    form.reset();
    apply();
    target.scrollIntoView();
  }

  let timer;
  form.addEventListener("input", (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => remember(apply()), event.target.name === "q" ? 120 : 0);
  });
  form.addEventListener("reset", () => setTimeout(() => remember(apply())));
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => (recall() ? apply() : reveal()));
  form.hidden = false;
  recall();
  apply();
})();
