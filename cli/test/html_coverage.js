// Drives the page of `test --coverage-html` in the frame next to this script and writes
// down what a reader sees; html.sh compares that with what it should be.
"use strict";

const report = document.getElementById("report");
const lines = [];
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const page = () => report.contentDocument;
const find = (selector) => page().querySelector(selector);
const all = (selector) => [...page().querySelectorAll(selector)];
const visible = (element) => element.getClientRects().length > 0;
const seen = (selector) => all(selector).filter(visible);

function tell(what) {
  const counts = seen("[data-count]").map((count) => count.textContent).join(" + ");
  lines.push(`${what}: ${seen("tbody tr").length} routes in ${seen(".coverage").length} tables, ` +
    `"${find(".shown").value}", ${counts || "none"}, ${report.contentWindow.location.hash || "no hash"}`);
}

function tellRoutes(what) {
  const names = seen("tbody tr").map((row) => row.querySelector("td code").textContent);
  lines.push(`${what}: ${names.join(", ")}`);
}

async function click(selector) {
  find(selector).click();
  await pause(300);
}

async function load(hash) {
  report.src = "about:blank";
  await pause(100);
  await new Promise((done) => { report.onload = done; report.src = `report.html${hash}`; });
  await pause(300);
}

// Wide tables scroll by themselves, not the page with them.
function tellLayout() {
  const root = page().documentElement;
  lines.push(`wider than the window: ${root.scrollWidth > root.clientWidth}, bar ` +
    `${find("meter").value} of ${find("meter").max}, scripts ${all("script").length}, ` +
    `links ${all("[href], [src]").length}`);
}

async function drive() {
  await load("");
  lines.push(find("h1").textContent);
  tellLayout();
  tell("all");
  await click("input.only");
  tell("only uncovered");
  tellRoutes("these");
  lines.push(`they say: ${seen(".nack").map((mark) => mark.textContent).join(", ")}`);
  await click("input.only");
  tell("again all");
  await click("input.only");
  await click("button[type=reset]");
  tell("reset");
  await click("summary");
  lines.push(`cases of the first: ${seen("details[open] li").map((item) => item.textContent).join("; ")}`);
  await load("#covered=no&q=wallets");
  tell("from a link");
  report.sandbox = "allow-same-origin";
  await load("#covered=no");
  lines.push(`without scripts: ${seen("tbody tr").length} routes, ` +
    `filters ${visible(find("form")) ? "shown" : "hidden"}`);
}

drive().catch((error) => lines.push(String(error))).finally(() => {
  document.getElementById("seen").textContent = lines.join("\n");
});
