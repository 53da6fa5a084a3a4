// Looks at the page of `explain -f html` in the frame next to this script and writes down
// what a reader sees; html.sh compares that with what it should be. Its tools are those of html_page.js.

const words = (element) =>
  [...element.querySelectorAll("text")].map((text) => text.textContent).join(" ");

function overlap(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function tellPicture() {
  const boxes = all(".node rect").map((rect) => rect.getBBox());
  const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => overlap(a, b)));
  const wide = all(".node").filter((node) => node.querySelector("rect") &&
    [...node.querySelectorAll("text")].some((text) =>
      text.getComputedTextLength() > node.querySelector("rect").getBBox().width - 10));
  lines.push(`${boxes.length} boxes, ${pairs.length} overlap, ${wide.length} too narrow`);
  lines.push(`bold: ${all(".node.taken").map(words).join(" > ")}`);
  lines.push(`dotted: ${all(".node.override").map(words).join(" > ")}`);
}

async function tellClicks() {
  for (const link of all(".picture a")) {
    link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    await pause(50);
    const target = find(":target");
    if (!target) lines.push(`${words(link)}: links to nothing`);
  }
  lines.push(`last click: ${report.contentWindow.location.hash}`);
}

async function look() {
  await pause(300);
  lines.push(find("h1").textContent.trim());
  tellPicture();
  await tellClicks();
  lines.push(`steps: ${all(".steps dt").map((dt) => dt.textContent).join(", ")}`);
  lines.push(`routes: ${all("#step-routes tbody tr").length}, hosts: ${all("#step-hosts tbody tr").length}`);
  lines.push(`scripts ${all("script").length}, credentials ` +
    `${page().documentElement.innerHTML.includes("hunter2")}`);
}

drive(look);
