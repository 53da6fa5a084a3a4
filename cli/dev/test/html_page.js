// What the scripts beside it share: the page in the frame next to them, what is found and
// clicked in it, and the lines that html.sh compares with what they should be.
"use strict";

const report = document.getElementById("report");
const lines = [];
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const page = () => report.contentDocument;
const find = (selector) => page().querySelector(selector);
const all = (selector) => [...page().querySelectorAll(selector)];
const visible = (element) => element.getClientRects().length > 0;

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

// The filters are of no use where scripts may not run, so they do not show.
async function loadWithoutScripts(hash, selector, what) {
  report.sandbox = "allow-same-origin";
  await load(hash);
  lines.push(`without scripts: ${all(selector).filter(visible).length} ${what}, ` +
    `filters ${visible(find("form")) ? "shown" : "hidden"}`);
}

function drive(look) {
  addEventListener("load", () => look().catch((error) => lines.push(String(error))).finally(() => {
    document.getElementById("seen").textContent = lines.join("\n");
  }));
}
