// Looks at any page in the frame next to this script, as wide as a screen and as a phone, and
// writes down what a reader sees; html.sh compares that with what it should be. Its tools are
// those of html_page.js.

async function tellWidth(width) {
  report.width = width;
  await pause(100);
  const scrolling = all(".scroll, pre").filter((each) => each.scrollWidth > each.clientWidth);
  lines.push(`${width} pixels: wider than the window: ` +
    `${page().documentElement.scrollWidth > width}, ` +
    `scrolls without the keyboard: ${scrolling.filter((each) => each.tabIndex < 0).length}`);
}

async function tellCopy() {
  let copied = "";
  Object.defineProperty(report.contentWindow.navigator, "clipboard",
    { value: { writeText: async (text) => { copied = text; } } });
  lines.push(`commands ${all(".command").length}, buttons ${all(".copy").length}`);
  await click(".copy");
  lines.push(`${find(".copy").textContent}: ${copied}`);
}

function tellSafety() {
  const ids = all("[id]").map((element) => element.id);
  const foreign = all("[src], [href]").filter((element) => element.hasAttribute("src") ||
    !/^(#|https:\/\/github\.com\/grpc\/proposal)/.test(element.getAttribute("href")));
  lines.push(`repeated ids ${ids.length - new Set(ids).size}, links out ${foreign.length}, ` +
    `injected ${String(window.xss)}, ` +
    `secrets ${page().documentElement.innerHTML.includes("hunter2")}`);
}

async function look() {
  await load("");
  const top = find("h1").getBoundingClientRect().bottom;
  lines.push(all("h1").map((h1) => h1.textContent.trim()).join(" | "));
  lines.push(`on top: ${all("main > *").every((each) =>
    each.matches(".tool, h1") || each.getBoundingClientRect().top >= top)}`);
  await tellWidth(390);
  await tellWidth(1280);
  await tellCopy();
  tellSafety();
}

drive(look);
