// Drives the page of `test --coverage-html` in the frame next to this script and writes
// down what a reader sees; html.sh compares that with what it should be. Its tools are those of html_page.js.

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

// Wide tables scroll by themselves, not the page with them.
function tellLayout() {
  const root = page().documentElement;
  lines.push(`wider than the window: ${root.scrollWidth > root.clientWidth}, bar ` +
    `${find("meter").value} of ${find("meter").max}, scripts ${all("script").length}, ` +
    `links ${all("[href], [src]").length}`);
}

async function look() {
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
  await loadWithoutScripts("#covered=no", "tbody tr", "routes");
}

drive(look);
